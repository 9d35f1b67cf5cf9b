/** The labels of the demo's categories, in the order of their codes. */
export const settlements = ['city', 'town', 'countryside'] as const;
export const dwellings = ['flat', 'terraced house', 'detached house', 'farmhouse'] as const;
export const tenures = ['owned outright', 'mortgage', 'private rent', 'social rent'] as const;
export const relations = ['reference', 'partner', 'child', 'relative', 'lodger'] as const;
export const sexes = ['female', 'male'] as const;
/** From least to most. */
export const educations = ['none', 'primary', 'secondary', 'vocational', 'bachelor', 'postgraduate'] as const;
export const activities = ['employed', 'self-employed', 'unemployed', 'student', 'retired', 'at home'] as const;
export const occupations = [
  'management',
  'professional',
  'technical',
  'clerical',
  'sales and service',
  'care',
  'trades',
  'industry',
  'farming',
  'elementary',
] as const;
export const insurances = ['public', 'employer', 'private', 'none'] as const;
