/** Two tables are neighbours when they differ in one unit: present or absent, or replaced by another. */
export type Relation = 'add-remove' | 'replace-one';
