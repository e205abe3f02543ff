// What a step of the identity engine must be.
import assert from 'node:assert/strict';

export function isDone(step, auth) {
  assert.deepEqual([step.status, step.messages ?? []], ['SUCCESS', []]);
  assert.equal(step.tokens.idToken.claims.iss, auth.options.issuer);
}

export function at(step, name) {
  assert.deepEqual([step.status, step.nextStep?.name], ['PENDING', name]);
  return step.nextStep;
}

export const keysOf = (step) => (step.messages ?? []).map((one) => one.i18n.key);
