// Runs in a page: the stores of its ledgers, with bytes as base64.
import { byteLog, logStore } from '../../adapters/browser/byte-log.ts';
import { fileStore } from '../../adapters/browser/chosen-file.ts';
import { openDatabase } from '../../adapters/browser/database.ts';
import { pageLedgers } from '../../adapters/browser/page-ledgers.ts';

const database = await openDatabase({ name: 'stores' });
const opened = new Map();

/** A file of the browser's own stands for one that a person chose: it has the same handle. */
const fileOf = async (name) =>
  (await navigator.storage.getDirectory()).getFileHandle(`${name}.jsonl`, { create: true });

const openStore = async (kind, name) => {
  const log = byteLog(database, `${kind}/${name}`, `ledger ${name}`);
  return kind === 'file' ? fileStore(log, await fileOf(name), name) : logStore(log, name);
};

/** What this tab knows of ledgers since it looked last. */
const notes = new Map();

const storeOf = (kind, name) => {
  const key = `${kind}/${name}`;
  if (!opened.has(key)) opened.set(key, openStore(kind, name));
  return opened.get(key);
};

const text = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

globalThis.stores = {
  read: async (kind, name, from) => text(await (await storeOf(kind, name)).read(from)),
  append: async (kind, name, told) => {
    const store = await storeOf(kind, name);
    const { sync, close } = await store.append(Uint8Array.from(atob(told), (char) => char.charCodeAt(0)));
    await sync();
    await close();
  },
  /** What another program does to the file. */
  put: async (_, name, told) => {
    const writable = await (await fileOf(name)).createWritable({ keepExistingData: false });
    await writable.write(Uint8Array.from(atob(told), (char) => char.charCodeAt(0)));
    await writable.close();
  },
  /** Does something to the ledger of a table, by what the tab noted of it: `make`, `attach`, `bind`; tells who leads to it now, and in which file it is. */
  ledger: async (act, name, told) => {
    const ledgers = pageLedgers(database);
    const table = { name, sha256: `of ${name}` };
    const file = told?.file === undefined ? undefined : await fileOf(told.file);
    const noted = notes.get(name) ?? (await ledgers.find([table], false));
    if (act === 'make') notes.set(name, await ledgers.make([table], { dataset: name, budget: told.budget }, file));
    if (act === 'attach') await ledgers.attach(noted, file);
    if (act === 'bind') await ledgers.bind(noted, [{ name: told.other, sha256: `of ${told.other}` }]);
    if (act === 'note') notes.set(name, noted);
    const now = await ledgers.find([table], false);
    return now && { others: (now.others ?? []).map((other) => other.table), file: now.file?.name };
  },
  get: async (_, name) => text(new Uint8Array(await (await (await fileOf(name)).getFile()).arrayBuffer())),
};
