import { ICON_NAMES } from '../model/iconNames';
import { Icon } from '../ui/Icon';
import { Group, State } from './guide/Guide';

const COLOURS = [
  'paper',
  'surface',
  'tint',
  'line',
  'line-strong',
  'ink',
  'ink-soft',
  'brand',
  'brand-strong',
  'brand-tint',
  'accent',
  'accent-strong',
  'sale',
  'sale-tint',
  'good',
  'good-tint',
  'bad',
  'bad-tint',
  'star',
  'night',
  'night-deep',
];
const SIZES = ['promise', 'h1', 'h2', 'h3', 'xl', 'l', 'm', 's', 'xs'];
const SPACES = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const SHADOWS = ['s', 'm', 'l'];

export function Foundations() {
  return (
    <>
      <Colours />
      <Type />
      <Group id="space" title="Space, shape and elevation">
        <State label="Space 1 to 9">
          <ul className="guide__spaces">
            {SPACES.map((step) => (
              <li key={step}>
                <svg className="guide__space" fontSize={`var(--space-${step})`} aria-hidden="true" />
              </li>
            ))}
          </ul>
        </State>
        <State label="Elevation: lying, lifted, floating">
          <ul className="guide__row row">
            {SHADOWS.map((step) => (
              <li key={step} className={`guide__raised guide__raised--${step}`}>
                {`shadow-${step}`}
              </li>
            ))}
          </ul>
        </State>
      </Group>
      <Group id="icons" title="Icons" text="Always beside words that say the same.">
        <ul className="guide__swatches">
          {ICON_NAMES.map((name) => (
            <li key={name} className="guide__icon">
              <Icon name={name} />
              {name}
            </li>
          ))}
        </ul>
      </Group>
    </>
  );
}

function Colours() {
  return (
    <Group id="colours" title="Colours" text="By what they are for. Dark follows the system's setting.">
      <ul className="guide__swatches">
        {COLOURS.map((role) => (
          <li key={role} className="guide__colour">
            <svg className="guide__swatch" color={`var(--${role})`} aria-hidden="true" />
            {role}
          </li>
        ))}
      </ul>
    </Group>
  );
}

function Type() {
  return (
    <Group id="type" title="Type" text="Bricolage Grotesque for headings, Figtree for everything one reads.">
      {SIZES.map((size) => (
        <State key={size} label={`size-${size}`}>
          <p className={`guide__type guide__type--${size}`}>Courses for people who have work to do, 1,204</p>
        </State>
      ))}
      <State label="Accents, and a script the two families do not have">
        <p className="guide__type guide__type--h2">Żółć, Ğarip, Ñandú, Übergang, 簿記の基礎</p>
        <p>Żółć, Ğarip, Ñandú, Übergang, 簿記の基礎, Простая бухгалтерия</p>
      </State>
    </Group>
  );
}
