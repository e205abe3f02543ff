import { useId } from 'react';
import { savePrice } from '../../api/admin/courses';
import { useRefresh } from '../../api/session/privatePage';
import { useSite } from '../../api/site';
import type { CoursePriceProps, PriceSetting } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { errorsOf, textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { DateField } from '../../forms/DateField';
import { MoneyField } from '../../forms/MoneyField';
import { minorOfText } from '../../forms/moneyText';
import { TextField } from '../../forms/TextField';
import { instantOf } from '../../forms/zonedTime';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';

const ZONE = 'UTC';

type Entered = Omit<PriceSetting, 'version' | 'listPrice'> & {
  listPrice: number | null;
  isWrongSale: boolean;
};

/** Sets a price at once, or plans one for a time. */
export function PriceForm({ frame, listPrice, salePrice, saleUntil, isDraftOnly }: CoursePriceProps) {
  const id = useId();
  const site = useSite();
  const refresh = useRefresh();

  function read(data: FormData): Entered {
    const sale = textOf(data, 'salePrice');
    const minor = (text: string) => minorOfText(text, site);
    return {
      listPrice: minor(textOf(data, 'listPrice')),
      salePrice: sale ? minor(sale) : null,
      isWrongSale: sale !== '' && minor(sale) === null,
      startsAt: instantOf(textOf(data, 'startsAt'), ZONE),
      endsAt: instantOf(textOf(data, 'endsAt'), ZONE),
      reason: textOf(data, 'reason'),
    };
  }

  const form = useCallForm(
    ({ isWrongSale: _, listPrice: price, ...rest }: Entered, version) =>
      savePrice(frame.courseId, { ...rest, listPrice: price ?? 0, version }, isDraftOnly),
    {
      read,
      check: ({ listPrice: price, isWrongSale }) =>
        errorsOf({
          listPrice: price === null && 'Enter an amount.',
          salePrice: isWrongSale && 'Enter an amount, or nothing for no sale.',
        }),
      version: frame.version,
      draft: `price-${frame.courseId}`,
      onSuccess: () => {
        void notify('success', 'The price is saved.');
        refresh().catch(() => undefined);
      },
    },
  );
  const field = (name: keyof PriceSetting & string) => ({
    id: `${id}-${name}`,
    name,
    error: form.errors[name],
  });
  return (
    <form className="area-form area-box" {...form.formProps}>
      <h2 className="heading-m">Set a price</h2>
      <FormStatus form={form} />
      <MoneyField {...field('listPrice')} label="List price" defaultValue={listPrice} required />
      <MoneyField
        {...field('salePrice')}
        label="Sale price"
        hint="Below the list price. Empty: no sale."
        defaultValue={salePrice}
      />
      <DateField {...field('startsAt')} label="From (empty: at once)" zone={ZONE} />
      <DateField
        {...field('endsAt')}
        label="End of the sale (empty: none)"
        zone={ZONE}
        defaultValue={saleUntil}
      />
      <TextField {...field('reason')} label="Reason" hint="It is recorded for good." maxLength={500} />
      <Button isBusy={form.isBusy} busyText="Saving…">
        Save price
      </Button>
    </form>
  );
}
