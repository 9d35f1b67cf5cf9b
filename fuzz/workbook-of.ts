import { deflateRawSync } from 'node:zlib';

/** The sum that a zip file keeps of an entry (CRC-32), bit by bit. */
const crc32 = (bytes: Buffer): number => {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
};

/** A zip file of texts, deflated. */
export const zipOf = (files: Readonly<Record<string, string>>, damaged = ''): Buffer => {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE((crc32(bytes) ^ (name === damaged ? 1 : 0)) >>> 0, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    centrals.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, tail, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(locals.length, 8);
  end.writeUInt16LE(locals.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
};

interface Workbook {
  readonly texts?: readonly string[];
  readonly sheets?: number;
  readonly from1904?: boolean;
  readonly damage?: boolean;
}

/** A small workbook with the rows of its sheet as XML; style 1 shows days, style 2 days and times. */
export const workbookOf = (rows: string, { texts = [], sheets = 1, from1904, damage }: Workbook): Buffer => {
  const numbers = Array.from({ length: sheets }, (_, i) => i + 1);
  return zipOf(
    {
      'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns:r="r"><workbookPr${from1904 ? ' date1904="1"' : ''}/><sheets>${numbers
        .map((n) => `<sheet name="s${n}" sheetId="${n}" r:id="rId${n}"/>`)
        .join('')}<sheet name="hidden" sheetId="9" state="hidden" r:id="rId9"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${numbers.map((n) => `<Relationship Id="rId${n}" Target="worksheets/sheet${n}.xml"/>`).join('')}</Relationships>`,
      'xl/sharedStrings.xml': `<sst>${texts
        .map((text) => `<si><r><t>${text.replace(/</g, '&lt;')}</t></r><rPh sb="0"><t>read so</t></rPh></si>`)
        .join('')}</sst>`,
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>',
      'xl/worksheets/sheet1.xml': `<x:worksheet xmlns:x="x"><x:sheetData>${rows.replace(/<(\/?)(row|c|v|f|is|t)\b/g, '<$1x:$2')}</x:sheetData></x:worksheet>`,
    },
    damage ? 'xl/worksheets/sheet1.xml' : '',
  );
};
