import { useEffect, useRef, useState } from 'react';
import starsStyles from '../../../static/css/stars-field.css?text';
import { useStyles } from '../../ui/useStyles';

const STARS = [1, 2, 3, 4, 5];
const WORDS = ['', 'Poor', 'Fair', 'Good', 'Very good', 'Excellent'];
const ERROR_ID = 'review-rating-error';

type StarsFieldProps = { chosen: number; error?: string | undefined };

/** One to five stars, which are radio buttons: keys, touch and screen readers choose them alike. */
export function StarsField({ chosen: initial, error }: StarsFieldProps) {
  useStyles(starsStyles);
  const [chosen, setChosen] = useState(initial);
  const field = useRef<HTMLFieldSetElement>(null);
  // The form takes the place of the button that had the focus.
  useEffect(() => field.current?.querySelectorAll('input')[Math.max(0, initial - 1)]?.focus(), [initial]);
  return (
    <fieldset className="stars-field" ref={field}>
      <legend className="field__label">How many stars?</legend>
      <div className="stars-field__choices row">
        {STARS.map((stars) => (
          <label
            className={`stars-field__choice${stars <= chosen ? ' stars-field__choice--filled' : ''}`}
            key={stars}
          >
            <input
              className="stars-field__input"
              type="radio"
              name="rating"
              value={stars}
              defaultChecked={stars === initial}
              onChange={() => setChosen(stars)}
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? ERROR_ID : undefined}
            />
            <span aria-hidden="true">★</span>
            <span className="sr-only">{stars === 1 ? '1 star' : `${stars} stars`}</span>
          </label>
        ))}
        <span className="stars-field__word muted" aria-hidden="true">
          {WORDS[chosen]}
        </span>
      </div>
      {error && (
        <p className="field__error" id={ERROR_ID}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
