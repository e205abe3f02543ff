import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ProductLinesField } from './ProductLinesField';

test('a picked product is added as a line of its own and kept with what was typed', async () => {
  const option = { value: 'course:vat-basics', text: 'VAT Basics', detail: 'Course, published' };
  globalThis.fetch = jest.fn(async () => Response.json({ options: [option] }));
  const about = { id: 'x', name: 'products', label: 'Products', maxLength: 100, hint: undefined };
  const onInput = jest.fn();
  render(
    <form onInput={onInput}>
      <ProductLinesField {...about} error={undefined} required={false} defaultValue={'payroll 39.00\n'} />
    </form>,
  );
  const user = userEvent.setup();
  await user.type(screen.getByRole('combobox', { name: /Add a product/ }), 'vat');
  onInput.mockClear();
  await user.click(await screen.findByRole('option', { name: /VAT Basics/ }));
  expect(screen.getByRole('textbox', { name: /^Products/ })).toHaveValue('payroll 39.00\nvat-basics');
  expect(screen.getByRole('combobox', { name: /Add a product/ })).toHaveValue('');
  expect(onInput).toHaveBeenCalled();
});
