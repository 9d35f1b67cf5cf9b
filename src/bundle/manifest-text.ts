import { chargeToJson } from '../privacy/ledger/record/charge-json.js';
import { type Manifest, manifestFromJson, manifestName } from './manifest.js';
import { sealJson, unsealJson } from './sealed-json.js';

/** The text of bundle.json. Equal manifests have equal texts. */
export const manifestText = (manifest: Manifest): string => {
  const charges = manifest.charges.map((act) => ({ ...act, charges: act.charges.map(chargeToJson) }));
  return sealJson({ ...manifest, charges });
};

export interface ReadManifest {
  readonly manifest: Manifest;
  /** Whether the text is exactly as it was written. */
  readonly intact: boolean;
}

/** Reads bundle.json; a text that no longer makes sense is an `InputError`, one that was changed is said to be. */
export const readManifest = (bytes: Uint8Array): ReadManifest => {
  const { json, intact } = unsealJson(bytes, manifestName);
  return { manifest: manifestFromJson(json), intact };
};
