const STARS = [1, 2, 3, 4, 5];
const ERROR_ID = 'review-rating-error';

type StarsFieldProps = { chosen: number; error?: string | undefined };

/** One to five stars as radio buttons, so that keys, touch and screen readers choose them alike. */
export function StarsField({ chosen, error }: StarsFieldProps) {
  return (
    <fieldset className="stars-field">
      <legend className="field__label">How many stars?</legend>
      <div className="stars-field__choices row">
        {STARS.map((stars) => (
          <label className="stars-field__choice" key={stars}>
            <input
              type="radio"
              name="rating"
              value={stars}
              defaultChecked={stars === chosen}
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? ERROR_ID : undefined}
            />
            <span aria-hidden="true">{'★'.repeat(stars)}</span>
            <span className="sr-only">{stars === 1 ? '1 star' : `${stars} stars`}</span>
          </label>
        ))}
      </div>
      {error && (
        <p className="field__error" id={ERROR_ID}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
