import { Gallery } from '../../catalogue/Gallery';
import { ItemBox } from '../../catalogue/ItemBox';
import { ContactForm } from '../../ui/ContactForm';
import { ContactSent } from '../../ui/ContactSent';
import { Field } from '../../ui/Field';
import { contactForm, FORMAT, item } from '../../ui/samples';
import { Group, State } from './Guide';
import { UNBROKEN } from './texts';

const NOTHING = () => undefined;
const ERRORS = {
  form: 'You have sent several messages in a short time. Wait a few minutes, then press Send again; your text is kept.',
  email: 'Enter an e-mail address in the form name@example.com.',
};
const [picture] = item().pictures;
const ITEMS = [
  item(),
  item({ id: 91, name: 'Sold out, on sale', stock: 0, price: 2900, saleUntil: '2026-12-01T00:00:00Z' }),
  item({ id: 92, name: UNBROKEN, subtitle: UNBROKEN, sku: UNBROKEN, delivery: UNBROKEN, stock: 2 }),
];

export function FormStates() {
  return (
    <>
      <Group id="forms" title="Forms">
        <State label="Field: plain, required with a hint, wrong, of several rows">
          <Field id="guide-plain" name="plain" label="Subject" />
          <Field
            id="guide-hint"
            name="hint"
            label="E-mail"
            hint="Only used to answer you."
            required
            type="email"
          />
          <Field
            id="guide-wrong"
            name="wrong"
            label="Name"
            error="Enter your name."
            defaultValue={UNBROKEN}
          />
          <Field id="guide-rows" name="rows" label="Message" rows={3} />
        </State>
        <State label="A form that was refused" ground="bare">
          <ContactForm form={contactForm({ errors: ERRORS })} />
        </State>
        <State label="A form that was sent" ground="bare">
          <ContactSent takeFocus={false} onAgain={NOTHING} />
        </State>
      </Group>
      <Group id="items" title="Shop items">
        <State label="Pictures: one, several" ground="bare">
          <Gallery pictures={item().pictures} />
        </State>
        <State label="Several pictures" ground="bare">
          <Gallery
            pictures={[1, 2, 3].flatMap((n) => (picture ? [{ ...picture, src: `${picture.src}?${n}` }] : []))}
          />
        </State>
        {ITEMS.map((one) => (
          <State key={one.id} label={one.name.slice(0, 40)} ground="bare">
            <ItemBox item={one} format={FORMAT} />
          </State>
        ))}
      </Group>
    </>
  );
}
