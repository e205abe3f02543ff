import type { ReactNode } from 'react';

type AddFormProps = {
  /** "enrol": of a free course, without the cart. "buy": into the cart and on to the checkout. */
  action?: 'add' | 'enrol' | 'buy';
  children: ReactNode;
};

/** The form that buttons "Add to cart" post without script (docs/decisions/0038); with script they prevent it. */
export function AddForm({ action = 'add', children }: AddFormProps) {
  return (
    <form className="add-form" method="post" action="/cart">
      <input type="hidden" name="do" value={action} />
      {children}
    </form>
  );
}
