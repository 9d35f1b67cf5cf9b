import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { auditTable } from '../experiments/quoted/audit-table.js';
import { brokenTable, constrainedErrors, determinedTable } from '../experiments/quoted/constraints-tables.js';
import { costTable, foundTable } from '../experiments/quoted/discovery-tables.js';
import {
  adultBaselines,
  adultTable,
  aimPriorTable,
  censusTable,
  contestTable,
  designedTable,
  exactLossTable,
  figure1Table,
  figure2aTable,
  floorsTable,
  gemFlatTable,
  householdsTable,
  ideTable,
  lossesTable,
  massachusettsTable,
  measuredTable,
  neighboursTable,
  paperTable,
  reducedTable,
  residualsTable,
  reweightTable,
  rivalsTable,
  sharingTable,
  stoppingTable,
  strategiesTable,
  supportRowsTable,
} from '../experiments/quoted/tables.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const kept = (name: string) => JSON.parse(read(`experiments/results/${name}.json`));
const results = read('docs/results.md').split('\n');

describe('item 15: docs/results.md', () => {
  it.each([
    ['massachusetts', massachusettsTable(kept('massachusetts'))],
    ['reweight, mean', reweightTable(kept('reweight'), 'mean')],
    ['reweight, what is measured', measuredTable(kept('reweight'))],
    ['designed', designedTable(kept('designed'))],
    ['reweight, IDE', ideTable(kept('reweight'))],
    ['reweight, largest', reweightTable(kept('reweight'), 'max')],
    ['support-rows', supportRowsTable(kept('support-rows'))],
    ['rivals', rivalsTable(kept('rivals'))],
    ['residuals', residualsTable(kept('residuals'))],
    ['nist-sprint2', contestTable(kept('nist-sprint2'))],
    ['pmw-pub-adult', adultTable(kept('pmw-pub-adult'))],
    ['pmw-pub-adult, baselines', adultBaselines(kept('pmw-pub-adult'))],
    ['pmw-pub-acs', censusTable(kept('pmw-pub-acs'))],
    ['pmw-pub-acs, beside Table 2', paperTable(kept('pmw-pub-acs'))],
    ['pmw-pub-reduced', reducedTable(kept('pmw-pub-reduced'))],
    ['pmw-pub-reduced, floors', floorsTable(kept('pmw-pub-reduced'))],
    ['pgm-figure1', figure1Table(kept('pgm-figure1'))],
    ['pgm-figure2a', figure2aTable(kept('pgm-figure2a'))],
    ['pgm-losses', lossesTable(kept('pgm-losses'))],
    ['households, of households', householdsTable(kept('households'), 'households')],
    ['households, of persons', householdsTable(kept('households'), 'persons')],
    ['gem-flat', gemFlatTable(kept('gem-flat'))],
    ['discovery, found', foundTable(kept('discovery'))],
    ['discovery, cost', costTable(kept('discovery'))],
    ['constraints, rows', brokenTable(kept('constraints'))],
    ['constraints, errors', constrainedErrors(kept('constraints'))],
    ['constraints, loans', determinedTable(kept('constraints'))],
    ['audit', auditTable(kept('audit'))],
    ['neighbours', neighboursTable(kept('neighbours'))],
    ['gdp', exactLossTable(kept('gdp'))],
    ['validated-stopping', stoppingTable(kept('validated-stopping'))],
    ['sharing', sharingTable(kept('sharing'))],
    ['aim-prior, pairs', aimPriorTable(kept('aim-prior'), 'pairs')],
    ['aim-prior, triples', aimPriorTable(kept('aim-prior'), 'triples')],
  ])('tells the kept figures of %s', (_, lines) => {
    const start = results.indexOf(lines[0]);
    expect(results.slice(start, start + lines.length)).toEqual(lines);
  });

  it('has company: docs/hdmm.md tells the kept figures of its strategies', () => {
    const lines = strategiesTable(kept('hdmm-strategies'));
    const page = read('docs/hdmm.md').split('\n');
    const start = page.indexOf(lines[0]);
    expect(page.slice(start, start + lines.length)).toEqual(lines);
  });
});
