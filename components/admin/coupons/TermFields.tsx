import type { NewCouponProps } from '../../contracts/schema';
import { CheckboxField } from '../../forms/CheckboxField';
import { DateField } from '../../forms/DateField';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { ZONE } from './couponValues';

const KINDS = [
  { value: 'percent', label: 'Percent' },
  { value: 'amount', label: 'Amount' },
];

type TermFieldsProps = Pick<NewCouponProps, 'scopes' | 'organisations' | 'maxPercent'> & {
  field: (name: string) => { id: string; name: string; error: string | undefined };
};

/** What a coupon takes off, of what, for whom, when and how often; and why it is made. */
export function TermFields({ scopes, organisations, maxPercent, field }: TermFieldsProps) {
  return (
    <>
      <SelectField {...field('kind')} label="It takes off" options={KINDS} defaultValue="percent" />
      <TextField
        {...field('value')}
        label="How much"
        hint={`A percentage up to ${maxPercent}, or an amount. It is taken off the price after sale prices.`}
        inputMode="decimal"
        autoComplete="off"
        maxLength={30}
        required
      />
      <CheckboxField
        {...field('oncePerOrder')}
        label="An amount counts at most once per order"
        hint="Else a code on a line takes it off each piece: 5.00 off 99 pieces is 495.00."
        isChecked
      />
      <TextField
        {...field('minimum')}
        label="Smallest total"
        hint="Of the products that it applies to; leave it empty for none."
        inputMode="decimal"
        autoComplete="off"
        maxLength={30}
      />
      <SelectField {...field('appliesTo')} label="Applies to" options={scopes} defaultValue="all" />
      <TextField
        {...field('products')}
        label="Only these products"
        hint="Their names in addresses, such as vat-basics, separated by spaces; empty: all that it applies to."
        autoComplete="off"
        spellCheck={false}
        rows={2}
      />
      <DateField {...field('startsAt')} label="From" zone={ZONE} />
      <DateField {...field('endsAt')} label="Until" zone={ZONE} />
      <TextField {...field('totalLimit')} label="Uses in total" inputMode="numeric" maxLength={9} />
      <TextField {...field('learnerLimit')} label="Uses per learner" inputMode="numeric" maxLength={9} />
      <SelectField
        {...field('organisation')}
        label="For members of"
        options={organisations}
        defaultValue=""
      />
      <TextField {...field('campaign')} label="Campaign" maxLength={100} />
      <CheckboxField {...field('isSpecial')} label="Show it to everybody as the special offer" />
      <CheckboxField {...field('isDraft')} label="Keep it as a draft that nobody can use yet" />
      <TextField
        {...field('reason')}
        label="Reason"
        hint="It is recorded for good. Name nobody in it."
        maxLength={500}
      />
    </>
  );
}
