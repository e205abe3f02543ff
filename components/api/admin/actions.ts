import type { StaffOutcome } from '../../contracts/schema';
import { post } from '../client';

/** Makes the call of an action (host/loaders/ui/action_props.py). May reject with ApiProblem. */
export const carryOut = (call: string, values: Record<string, string>) => post<StaffOutcome>(call, values);
