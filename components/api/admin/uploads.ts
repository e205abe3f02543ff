import { forgetUpload, rememberUpload, startedUpload } from '../../browser/uploads/startedUploads';
import type { Upload } from '../../contracts/schema';
import { ApiProblem, callAddress, get, post, problemOf, requestHeaders } from '../client';

export type Purpose = Upload['purpose'];

const DIGEST_BYTES = 32;
const PART_TIMEOUT_MS = 120_000;
// A part that got no answer, or a busy one, is sent again after these pauses.
const PAUSES_MS = [1000, 3000, 10_000];

/**
 * Sends a file in parts; of one whose upload was begun here before, what is missing. `onProgress` gets the bytes that
 * the site has. At the end it says what the whole file is, so that one that was changed meanwhile is refused. Rejects
 * with ApiProblem; with the signal's reason when it is aborted, after which the same call goes on.
 */
export async function sendFile(
  file: File,
  purpose: Purpose,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Upload> {
  const upload = (await resumeUpload(file, purpose)) ?? (await startUpload(file, purpose));
  const { id, partBytes } = upload;
  const sizeOf = (part: number) => Math.min(partBytes, file.size - part * partBytes);
  let sent = file.size - upload.missing.reduce((sum, part) => sum + sizeOf(part), 0);
  onProgress(sent);
  // Also of parts that are there already: they may be from before the file was changed.
  const digests = new Uint8Array(Math.ceil(file.size / partBytes) * DIGEST_BYTES);
  for (let part = 0; part * partBytes < file.size; part += 1) {
    signal.throwIfAborted();
    const bytes = await file.slice(part * partBytes, (part + 1) * partBytes).arrayBuffer();
    const digest = await digestOf(bytes);
    digests.set(digest, part * DIGEST_BYTES);
    if (!upload.missing.includes(part)) continue;
    await sendPart(`/uploads/${id}/parts/${part}`, bytes, digest, signal);
    sent += sizeOf(part);
    onProgress(sent);
  }
  const complete = await post<Upload>(`/uploads/${id}/complete`, {
    digest: inBase64(await digestOf(digests)),
  });
  forgetUpload(purpose, file);
  return complete;
}

async function startUpload(file: File, purpose: Purpose): Promise<Upload> {
  const upload = await post<Upload>('/uploads', { name: file.name, bytes: file.size, purpose });
  rememberUpload(purpose, file, upload.id);
  return upload;
}

async function resumeUpload(file: File, purpose: Purpose): Promise<Upload | null> {
  const id = startedUpload(purpose, file);
  if (id === null) return null;
  try {
    return await get<Upload>(`/uploads/${id}`);
  } catch (problem) {
    // It has expired, or somebody else is signed in now.
    if (!(problem instanceof ApiProblem) || problem.status !== 404) throw problem;
    forgetUpload(purpose, file);
    return null;
  }
}

/** SHA-256. Browsers digest no stream, so that a large file is digested in parts. */
async function digestOf(bytes: BufferSource): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

const inBase64 = (digest: Uint8Array) => btoa(String.fromCharCode(...digest));

async function sendPart(
  path: string,
  bytes: ArrayBuffer,
  digest: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const headers = {
    ...requestHeaders(),
    'Content-Type': 'application/octet-stream',
    'Content-Digest': `sha-256=:${inBase64(digest)}:`,
  };
  for (const pause of [...PAUSES_MS, null]) {
    const problem = await tryPart(path, bytes, headers, signal);
    if (!problem) return;
    if (pause === null || !isTemporary(problem)) throw problem;
    await waitFor(Math.max(pause, (problem.retryAfterS ?? 0) * 1000), signal);
  }
}

async function tryPart(
  path: string,
  body: ArrayBuffer,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<ApiProblem | null> {
  const own = new AbortController();
  const abort = () => own.abort();
  const timer = setTimeout(abort, PART_TIMEOUT_MS);
  signal.addEventListener('abort', abort);
  try {
    const credentials = 'same-origin';
    const request = { method: 'PUT', headers, body, credentials, signal: own.signal } as const;
    const response = await fetch(callAddress(path), request);
    return response.ok ? null : new ApiProblem(problemOf(response, await response.json().catch(() => null)));
  } catch {
    signal.throwIfAborted();
    const detail = 'The site could not be reached. Check your connection, then go on.';
    return new ApiProblem({ status: 0, title: 'No answer', detail });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

const isTemporary = ({ status }: ApiProblem) =>
  status === 0 || status === 408 || status === 429 || status >= 500;

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
