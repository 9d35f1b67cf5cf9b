import { dayNumber, dayOfNumber, isoDay } from '../../../src/domain/attribute/calendar.js';
import { attributeOf, xmlTokens } from './xml-tokens.js';
import type { ZipEntry } from './zip-entries.js';

/** Why a workbook cannot be read as one table: told by whoever knows its name. */
export class WorkbookError extends Error {}

/** A text of XML is one string, which has a largest length. */
const mostBytes = 4e8;

type Entries = ReadonlyMap<string, ZipEntry>;

const textOf = (entries: Entries, name: string): string | undefined => {
  const entry = entries.get(name);
  if (entry === undefined) return undefined;
  if (entry.size > mostBytes)
    throw new WorkbookError(
      `must have sheets of at most ${mostBytes / 1e6} MB when they are unpacked, got ${Math.ceil(entry.size / 1e6)}; save the sheet as CSV`,
    );
  return entry.read().toString('utf8');
};

/** Excel writes signs that XML cannot hold as _xHHHH_. */
const plainText = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const sharedTexts = (xml: string): string[] => {
  const texts: string[] = [];
  let [own, within, phonetic] = ['', false, false];
  for (const token of xmlTokens(xml)) {
    if ('text' in token) {
      if (within && !phonetic) own += token.text;
    } else if ('open' in token) {
      if (token.open === 'si') own = '';
      if (token.open === 't') within = !token.isEmpty;
      if (token.open === 'rPh') phonetic = !token.isEmpty;
      if (token.open === 'si' && token.isEmpty) texts.push('');
    } else {
      if (token.close === 't') within = false;
      if (token.close === 'rPh') phonetic = false;
      if (token.close === 'si') texts.push(plainText(own));
    }
  }
  return texts;
};

/** Formats that come with every spreadsheet and show dates (ECMA-376, 18.8.30). */
const dateFormats = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58]);

/** Whether a format shows a date: years or days, outside quotes, brackets and what is escaped. */
const showsDate = (code: string): boolean =>
  /[yd]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')) && !/^general$/i.test(code);

/** Of each style of cells, whether it shows dates. */
const dateStyles = (xml: string): boolean[] => {
  const codes = new Map<number, string>();
  const styles: boolean[] = [];
  let isCells = false;
  for (const token of xmlTokens(xml)) {
    if ('open' in token) {
      if (token.open === 'numFmt')
        codes.set(Number(attributeOf(token.attributes, 'numFmtId')), attributeOf(token.attributes, 'formatCode') ?? '');
      if (token.open === 'cellXfs') isCells = true;
      if (token.open === 'xf' && isCells) {
        const format = Number(attributeOf(token.attributes, 'numFmtId') ?? 0);
        const code = codes.get(format);
        styles.push(code === undefined ? dateFormats.has(format) : showsDate(code));
      }
    } else if ('close' in token && token.close === 'cellXfs') isCells = false;
  }
  return styles;
};

/** The one sheet that people see, and whether days count from 1904. */
const sheetOf = (entries: Entries): { readonly name: string; readonly from1904: boolean } => {
  const workbook = textOf(entries, 'xl/workbook.xml');
  if (workbook === undefined) throw new Error('workbook: has no list of sheets');
  const sheets: string[] = [];
  let from1904 = false;
  for (const token of xmlTokens(workbook)) {
    if (!('open' in token)) continue;
    if (token.open === 'workbookPr') from1904 = /^(1|true)$/.test(attributeOf(token.attributes, 'date1904') ?? '');
    if (token.open === 'sheet' && (attributeOf(token.attributes, 'state') ?? 'visible') === 'visible')
      sheets.push(attributeOf(token.attributes, 'id') ?? '');
  }
  if (sheets.length !== 1)
    throw new WorkbookError(
      `must have one sheet that is not hidden, got ${sheets.length}; save the one that is meant as a workbook of its own, or as CSV`,
    );
  for (const token of xmlTokens(textOf(entries, 'xl/_rels/workbook.xml.rels') ?? ''))
    if ('open' in token && token.open === 'Relationship' && attributeOf(token.attributes, 'Id') === sheets[0]) {
      const target = attributeOf(token.attributes, 'Target') ?? '';
      return { name: target.startsWith('/') ? target.slice(1) : `xl/${target}`, from1904 };
    }
  throw new Error('workbook: its sheet cannot be found');
};

/** A sheet has so many rows and columns at most (up to XFD). */
const mostRows = 1_048_576;
const mostColumns = 16_384;

/** The column, from 0, that a cell such as AB12 is in. */
const columnAt = (reference: string): number => {
  let column = 0;
  for (const letter of /^[A-Z]+/i.exec(reference)?.[0].toUpperCase() ?? '')
    column = 26 * column + letter.charCodeAt(0) - 64;
  return column - 1;
};

const epoch1900 = dayNumber({ year: 1899, month: 12, day: 30 });
const epoch1904 = dayNumber({ year: 1904, month: 1, day: 1 });

/** The day, and the time where there is one, that a serial number stands for; its number where that is no day. */
const dateText = (serial: number, from1904: boolean): string => {
  // Spreadsheets take 1900 for a leap year: up to its February days are one later.
  const epoch = from1904 ? epoch1904 : serial < 60 ? epoch1900 + 1 : epoch1900;
  if (!(serial >= 1 && serial < 2_958_466)) return String(serial);
  const seconds = Math.round((serial % 1) * 86_400);
  const day = isoDay(dayOfNumber(epoch + Math.floor(serial) + (seconds === 86_400 ? 1 : 0)));
  if (seconds === 0 || seconds === 86_400) return day;
  const two = (n: number): string => String(Math.floor(n)).padStart(2, '0');
  return `${day} ${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
};

/** The rows of the one sheet of a workbook as texts, with the number each has there; rows without a value are none. What a cell says is that of its last calculation; errors are empty. */
export function* workbookRows(
  entries: Entries,
): Generator<{ readonly row: number; readonly texts: readonly string[] }> {
  const { name, from1904 } = sheetOf(entries);
  const shared = sharedTexts(textOf(entries, 'xl/sharedStrings.xml') ?? '');
  const styles = dateStyles(textOf(entries, 'xl/styles.xml') ?? '');
  const sheet = textOf(entries, name);
  if (sheet === undefined) throw new Error('workbook: its sheet is missing');
  const cellText = (type: string, style: number, text: string): string => {
    if (type === 's') {
      const found = shared[Number(text)];
      if (found === undefined) throw new Error('workbook: a text is missing');
      return found;
    }
    if (type === 'b') return text.trim() === '1' ? 'true' : 'false';
    if (type === 'e') return '';
    if (type !== 'n') return plainText(text);
    const number = text.trim() === '' ? Number.NaN : Number(text);
    if (!Number.isFinite(number)) return '';
    return styles[style] ? dateText(number, from1904) : String(number);
  };
  let [row, column, type, style, text, within, isPhonetic] = [0, -1, 'n', 0, '', false, false];
  let texts: string[] = [];
  for (const token of xmlTokens(sheet)) {
    if ('text' in token) {
      if (within && !isPhonetic) text += token.text;
    } else if ('open' in token) {
      if (token.open === 'row') {
        const number = Number(attributeOf(token.attributes, 'r') ?? row + 1);
        row = Number.isInteger(number) && number > 0 && number <= mostRows ? number : row + 1;
        [texts, column] = [[], -1];
      } else if (token.open === 'c') {
        const reference = attributeOf(token.attributes, 'r');
        column = reference === undefined ? column + 1 : columnAt(reference);
        if (!(column >= 0 && column < mostColumns)) throw new Error('workbook: a cell is in no column');
        type = attributeOf(token.attributes, 't') ?? 'n';
        style = Number(attributeOf(token.attributes, 's') ?? 0);
        text = '';
      } else if (token.open === 'v' || token.open === 't') within = !token.isEmpty;
      else if (token.open === 'rPh') isPhonetic = !token.isEmpty;
    } else if (token.close === 'v' || token.close === 't') within = false;
    else if (token.close === 'rPh') isPhonetic = false;
    else if (token.close === 'c') {
      if (text !== '' && column >= 0) texts[column] = cellText(type, style, text);
    } else if (token.close === 'row' && texts.some((own) => own !== undefined && own !== ''))
      yield { row, texts: Array.from(texts, (own) => own ?? '') };
  }
}
