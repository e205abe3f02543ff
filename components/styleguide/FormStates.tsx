import { Gallery } from '../catalogue/item/Gallery';
import { ItemBox } from '../catalogue/item/ItemBox';
import { ContactForm } from '../content/ContactForm';
import { ContactSent } from '../content/ContactSent';
import { contactForm, FORMAT, item } from '../fixtures/catalogue';
import { TextField } from '../forms/TextField';
import { Group, State } from './guide/Guide';
import { UNBROKEN } from './guide/texts';

const noop = () => undefined;
const ERRORS = {
  form: 'You have sent several messages in a short time. Wait a few minutes, then press Send again; your text is kept.',
  email: 'Enter an email address in the form name@example.com.',
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
          <TextField id="guide-plain" name="plain" label="Subject" />
          <TextField
            id="guide-hint"
            name="hint"
            label="Email"
            hint="Only used to answer you."
            required
            type="email"
          />
          <TextField
            id="guide-wrong"
            name="wrong"
            label="Name"
            error="Enter your name."
            defaultValue={UNBROKEN}
          />
          <TextField id="guide-rows" name="rows" label="Message" rows={3} />
        </State>
        <State label="A form that was refused" ground="bare">
          <ContactForm form={contactForm({ errors: ERRORS })} />
        </State>
        <State label="A form that was sent" ground="bare">
          <ContactSent takeFocus={false} onAgain={noop} />
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
        {ITEMS.map((sample) => (
          <State key={sample.id} label={sample.name.slice(0, 40)} ground="bare">
            <ItemBox item={sample} format={FORMAT} />
          </State>
        ))}
      </Group>
    </>
  );
}
