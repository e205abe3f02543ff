import type { ReactNode } from 'react';

/** The form that buttons "Add to cart" post without script (docs/decisions/0038); with script they prevent it. */
export function AddForm({ children }: { children: ReactNode }) {
  return (
    <form className="add-form" method="post" action="/cart">
      <input type="hidden" name="do" value="add" />
      {children}
    </form>
  );
}
