/** @jest-environment node */
import agreement from '../../contracts/cases/progress.json';
import { merged, NO_PROGRESS, type ProgressChange } from './progress';

function orders<T>(values: T[]): T[][] {
  if (values.length < 2) return [values];
  return values.flatMap((first, index) =>
    orders(values.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  );
}

test.each(agreement.merges)('$name, in every order and again', ({ changes, after }) => {
  for (const order of orders<ProgressChange>(changes)) {
    expect([...order, ...order].reduce(merged, NO_PROGRESS)).toEqual(after);
  }
});
