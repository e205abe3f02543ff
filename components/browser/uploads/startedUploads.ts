import { UPLOAD_PREFIX } from '../storage/storageKeys';
import { readText, writeText } from '../storage/storedList';

/** A file is known again after a reload by what its folder says of it; its contents are not read for that. */
export type FileFacts = Pick<File, 'name' | 'size' | 'lastModified'>;

const keyOf = (purpose: string, { name, size, lastModified }: FileFacts) =>
  `${UPLOAD_PREFIX}${purpose}.${size}.${lastModified}.${name}`;

/** The id of the upload that this browser began with the file; null without one. */
export function startedUpload(purpose: string, file: FileFacts): number | null {
  const id = Number(readText(keyOf(purpose, file)));
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

export function rememberUpload(purpose: string, file: FileFacts, id: number): void {
  writeText(keyOf(purpose, file), String(id));
}

export function forgetUpload(purpose: string, file: FileFacts): void {
  writeText(keyOf(purpose, file), null);
}
