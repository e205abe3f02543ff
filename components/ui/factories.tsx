import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { InShop } from './samples';

export * from './samples';

/** For the tests beside the components: drawn inside the small world of samples.tsx. */
export function renderInShop(node: ReactNode) {
  return render(node, { wrapper: InShop });
}
