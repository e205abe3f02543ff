import type { ActionPageProps, ActionPreview, PickerOptions } from '../../contracts/schema';
import { get, post, put } from '../client';

type Action = ActionPageProps['actions'][number];
export type ActionBody = Record<string, unknown>;
/** What was done; some say how it is undone. */
export type ActionOutcome = { text: string; href: string | null; undo?: Undo | null };
type Undo = { call: string; body: ActionBody };

/** Makes the call of an action (host/api/admin/actions.py). `key`: of one that acts once. May reject with ApiProblem. */
export const carryOut = (
  { call, method = 'POST' }: Pick<Action, 'call' | 'method'>,
  body: ActionBody,
  key = '',
) => METHODS[method]<ActionOutcome>(call, body, key ? { headers: { 'Idempotency-Key': key } } : {});

/** What an action would do; it changes nothing. May reject with ApiProblem. */
export const previewAction = (call: string, body: ActionBody) => post<ActionPreview>(call, body);

/** Takes a change back. May reject with ApiProblem. */
export const undoAction = ({ call, body }: Undo) => post<unknown>(call, body);

/** What has this text in its name, for a field in which things are picked. May reject with ApiProblem. */
export const optionsNamed = (source: string) => async (text: string) =>
  (await get<PickerOptions>(`${source}?q=${encodeURIComponent(text)}`)).options;

const METHODS: Record<NonNullable<Action['method']>, typeof post> = { POST: post, PUT: put };
