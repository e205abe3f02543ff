import { createHash } from 'node:crypto';
import { rememberUpload, startedUpload } from '../../browser/uploads/startedUploads';
import type { Upload } from '../../contracts/schema';
import { browserFile } from '../../fixtures/browserFile';
import { ApiProblem } from '../client';
import { sendFile } from './uploads';

const PART = 4;
const file = browserFile('aaaabbbbcc', 'a.csv');
const requests: string[] = [];
const digests: (string | undefined)[] = [];
let completed: unknown;
let answers: Record<string, () => Response>;

function upload(missing: number[], isComplete = false): Upload {
  const about = { id: 7, name: 'a.csv', bytes: 10, purpose: 'import' as const, partBytes: PART };
  return { ...about, missing, isComplete, expiresAt: '2026-03-05T00:00:00Z' };
}

const json =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status });
const send = (signal = new AbortController().signal) => {
  const progress: number[] = [];
  const sent = sendFile(file, 'import', (bytes) => progress.push(bytes), signal);
  return { progress, sent };
};

beforeEach(() => {
  window.localStorage.clear();
  requests.length = 0;
  digests.length = 0;
  answers = {
    'POST /api/uploads': json(upload([0, 1, 2]), 201),
    'GET /api/uploads/7': json(upload([1, 2])),
    'POST /api/uploads/7/complete': json(upload([], true)),
  };
  globalThis.fetch = async (address, init) => {
    const request = `${init?.method} ${String(address)}`;
    requests.push(request);
    if (request.endsWith('/complete')) completed = JSON.parse(String(init?.body));
    if (init?.method === 'PUT') digests.push((init.headers as Record<string, string>)['Content-Digest']);
    return (answers[request] ?? json(upload([])))();
  };
});

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest();
const WHOLE = sha256(Buffer.concat(['aaaa', 'bbbb', 'cc'].map(sha256))).toString('base64');
const parts = () => requests.filter((request) => request.startsWith('PUT')).map((request) => request.at(-1));

test('a file is sent part by part with its digests, and then complete', async () => {
  const { progress, sent } = send();
  expect((await sent).isComplete).toBe(true);
  expect(parts()).toEqual(['0', '1', '2']);
  expect(progress).toEqual([0, 4, 8, 10]);
  expect(digests[0]).toBe(`sha-256=:${sha256('aaaa').toString('base64')}:`);
  expect(completed).toEqual({ digest: WHOLE });
  expect(startedUpload('import', file)).toBeNull();
});

test('a file that was begun here before goes on with what is missing', async () => {
  rememberUpload('import', file, 7);
  const { progress, sent } = send();
  await sent;
  expect(requests).not.toContain('POST /api/uploads');
  expect([parts(), progress]).toEqual([
    ['1', '2'],
    [4, 8, 10],
  ]);
  // The digest covers the part that was there before, too.
  expect(completed).toEqual({ digest: WHOLE });
});

test('one that has expired begins anew', async () => {
  rememberUpload('import', file, 7);
  answers['GET /api/uploads/7'] = json({ title: 'No such upload', status: 404 }, 404);
  await send().sent;
  expect(parts()).toEqual(['0', '1', '2']);
});

test('a part that is refused ends it, and the next try goes on', async () => {
  answers['PUT /api/uploads/7/parts/1'] = json({ title: 'Wrong', status: 422 }, 422);
  await expect(send().sent).rejects.toBeInstanceOf(ApiProblem);
  expect(startedUpload('import', file)).toBe(7);
});

test('nothing is sent after a pause', async () => {
  const controller = new AbortController();
  answers['PUT /api/uploads/7/parts/0'] = () => {
    controller.abort();
    return Response.json(upload([1, 2]));
  };
  await expect(send(controller.signal).sent).rejects.toBeDefined();
  expect(parts()).toEqual(['0']);
});
