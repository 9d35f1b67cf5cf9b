import { type ConstraintSpec, constraintText } from '../../domain/constraints/constraint.js';
import { html, named } from '../html.js';
import { paragraph, type Section, table } from '../layout.js';

/** What the schema says that rows cannot be. */
export const constraintsSection = (constraints: readonly ConstraintSpec[]): Section => ({
  id: 'constraints',
  title: 'What every row keeps',
  body: html`${paragraph(
    'The schema says what rows can be: from public knowledge or, where the description says so, learned with noise for a part of the budget. Every synthetic row keeps it and the model has no records elsewhere. Rows of the private table that break it were counted as the nearest rows that keep it; how many there were is not told. A rule that could not be true or false of a row, since a value is empty, says nothing of it.',
  )}${table(
    [{ title: 'constraint' }, { title: 'description' }],
    constraints.map((spec) => [named(constraintText(spec), 160), spec.description ?? '']),
  )}`,
});
