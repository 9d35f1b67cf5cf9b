// Runs in a page: the stores of its ledgers, with bytes as base64.
import { byteLog, logStore } from '../../adapters/browser/byte-log.ts';
import { openDatabase } from '../../adapters/browser/database.ts';

const database = await openDatabase('stores');
const opened = new Map();

const storeOf = (kind, name) => {
  const key = `${kind}/${name}`;
  if (!opened.has(key)) opened.set(key, logStore(byteLog(database, key, `ledger ${name}`), name));
  return opened.get(key);
};

const text = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

globalThis.stores = {
  read: async (kind, name, from) => text(await storeOf(kind, name).read(from)),
  append: async (kind, name, told) => {
    const { sync, close } = await storeOf(kind, name).append(Uint8Array.from(atob(told), (char) => char.charCodeAt(0)));
    await sync();
    await close();
  },
};
