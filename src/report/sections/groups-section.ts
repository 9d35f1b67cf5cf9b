import { cellLabels } from '../../domain/attribute/cells.js';
import { countRows } from '../../domain/count-rows.js';
import { cellsOf, indexOf } from '../../domain/domain.js';
import type { Table } from '../../domain/table.js';
import type { GroupedModel } from '../../model/grouped-model.js';
import type { Answering } from '../../model/model.js';
import { type Html, html } from '../html.js';
import { behind, figure, paragraph, type Section, table } from '../layout.js';
import { count, percent, plural } from '../number-text.js';
import type { Plot } from '../plots/draw.js';
import { heatKey, heatPlot } from '../plots/heat-plot.js';

/** Groups that are drawn, and listed. */
const mostColumns = 400;
const mostRows = 60;
const mostListed = 2000;
/** The largest table of groups by the cells of an attribute that is counted. */
const mostCells = 2 ** 24;

export const isGrouped = (model: Answering): model is GroupedModel =>
  (model as Partial<GroupedModel>).kind === 'grouped';

interface Grid {
  readonly rowKey: string;
  readonly columnKey: string | undefined;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Group number, row-major over the keys' cells, of a row and column. */
  readonly groupAt: (row: number, column: number) => number;
}

/** The two keys with the most cells span the grid, the larger one across; further keys are summed over by the caller's order. */
const gridOf = ({ domain, keys }: GroupedModel): Grid => {
  const attributes = keys.map((name) => domain.attributes[indexOf(domain, name)]);
  const order = [...keys.keys()].sort((a, b) => attributes[b].size - attributes[a].size || a - b);
  const [across, down] = order;
  const labels = attributes.map(cellLabels);
  const second = down === undefined ? ['all'] : labels[down];
  const inner = attributes.map(({ size }, key) => ({ key, size })).filter(({ key }) => key === across || key === down);
  return {
    columnKey: keys[across],
    rowKey: down === undefined ? '' : keys[down],
    rows: second.slice(0, mostRows),
    columns: labels[across].slice(0, mostColumns),
    groupAt: (row, column) => inner.reduce((at, { key, size }) => at * size + (key === across ? column : row), 0),
  };
};

/** The two keys of the grid, in the order of the keys: what its groups are numbered by. */
const spanning = ({ keys }: GroupedModel, { rowKey, columnKey }: Grid): string[] =>
  keys.filter((name) => name === rowKey || name === columnKey);

/** For each group the distance of its distributions from those of the public table, averaged over attributes: 0 to 1. */
const distances = (model: GroupedModel, table: Table, keys: readonly string[]): Float64Array => {
  const { domain } = model;
  const groups = cellsOf(domain, keys);
  const sums = new Float64Array(groups);
  let used = 0;
  for (const { name, size } of domain.attributes) {
    if (model.keys.includes(name) || groups * size > mostCells) continue;
    used++;
    const all = countRows(table, [name]);
    const [released, own] = [model.marginal([...keys, name]), countRows(table, [...keys, name])];
    for (let group = 0; group < groups; group++) {
      const at = group * size;
      const part = own.subarray(at, at + size);
      const rows = part.reduce((sum, value) => sum + value, 0);
      // A group without public rows is compared with the whole public table.
      const [prior, of] = rows > 0 ? [part, rows] : [all, table.length];
      const records = released.subarray(at, at + size).reduce((sum, value) => sum + value, 0);
      let distance = 0;
      for (let cell = 0; cell < size; cell++)
        distance += Math.abs(released[at + cell] / records - prior[cell] / of) / 2;
      sums[group] += distance;
    }
  }
  return sums.map((sum) => sum / used);
};

/** Maps of the groups: how many records each has, and how far it is from the public table. */
export const groupsSection = async (
  model: GroupedModel,
  publicTable: Table | undefined,
  draw: (plot: Plot) => Promise<Html>,
): Promise<Section> => {
  const grid = gridOf(model);
  const keys = spanning(model, grid);
  const records = model.marginal(keys);
  const name = model.keys.join(' × ');
  const span = keys.join(' × ');
  const label = (row: number, column: number): string =>
    `${grid.columnKey} ${grid.columns[column]}${grid.rowKey === '' ? '' : `, ${grid.rowKey} ${grid.rows[row]}`}`;
  const cell = [
    Math.max(5, Math.min(22, Math.floor(900 / grid.columns.length))),
    grid.rows.length > 30 ? 11 : 18,
  ] as const;
  const map = async (id: string, title: string, of: Float64Array, told: (value: number) => string): Promise<Html> => {
    const values = grid.rows.map((_, row) => grid.columns.map((__, column) => of[grid.groupAt(row, column)]));
    const finite = values.flat().filter(Number.isFinite);
    const colours = { kind: 'growing', from: 0, to: Math.max(1e-9, ...finite) } as const;
    const plot = heatPlot({
      label: `${title}, by ${span}; the table below has the numbers`,
      rows: grid.rows,
      columns: grid.columns,
      values,
      told: (row, column) => `${label(row, column)}: ${told(values[row][column])}`,
      colours,
      cell,
    });
    return html`<h3>${title}</h3>${figure(id, await draw(plot), heatKey(colours, told(0), told(colours.to)), 'wide')}`;
  };
  const far = publicTable && publicTable.length > 0 ? distances(model, publicTable, keys) : undefined;
  const rows = grid.columns.flatMap((_, column) =>
    grid.rows.map((__, row) => {
      const group = grid.groupAt(row, column);
      return [
        label(row, column),
        count(records[group]),
        ...(far === undefined ? [] : [Number.isFinite(far[group]) ? percent(far[group]) : '']),
      ];
    }),
  );
  const columns = [
    { title: 'group' },
    { title: 'records', number: true },
    ...(far === undefined ? [] : [{ title: 'from public', number: true }]),
  ];
  const declared = keys.map((key) => cellsOf(model.domain, [key])).reduce((product, size) => product * size, 1);
  const drawn = grid.rows.length * grid.columns.length;
  return {
    id: 'groups',
    title: 'Groups',
    body: html`${paragraph(
      `The table falls into ${plural(model.groups.length, 'group')} by ${name}, each with a model of its own. Which of them have records is private, so all that the schema declares are shown, with noisy numbers of records.`,
      keys.length < model.keys.length ? `The maps sum over all but ${span}.` : undefined,
      drawn < declared
        ? `They show ${count(drawn)} of ${count(declared)} groups, the first in the order of the schema.`
        : undefined,
    )}${await map('plot-groups-records', 'Released number of records', records, (value) => plural(value, 'record'))}${
      far === undefined
        ? undefined
        : html`${await map('plot-groups-distance', 'Distance from the public rows of the group', far, percent)}<p class="small">The distance is the total variation distance of each attribute’s shares, averaged over attributes; a group without public rows is compared with the whole public table. Groups are small, so much of it is chance in the public rows.</p>`
    }${behind('Numbers', table(columns, rows.slice(0, mostListed), rows.length > mostListed ? `The first ${count(mostListed)} of ${count(rows.length)} groups` : undefined))}`,
  };
};
