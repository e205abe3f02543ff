import { useState } from 'react';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { WORD } from './importValues';

type WordFieldsProps = { field: string; words: string[]; meanings: string[] | undefined };

/** What happens to words of these fields that are not known. */
const UNKNOWN: Record<string, string> = {
  status: 'Not known: a draft',
  published: 'Not known: a draft',
  visibility: 'Not known: a draft',
};

/** What the words of a column mean that are not known. A word stays here once its meaning is said. */
export function WordFields({ field, words, meanings }: WordFieldsProps) {
  const [known, setKnown] = useState<string[]>([]);
  const added = words.filter((word) => !known.includes(word));
  if (added.length > 0) setKnown([...known, ...added]);
  return (
    <>
      {known.map((word, place) => {
        const about = {
          id: `word-${field}-${place}`,
          name: `${WORD}${field}:${word}`,
          label: `“${word}” means`,
        };
        if (!meanings) return <TextField key={word} {...about} />;
        const options = meanings.map((meaning) => ({ value: meaning, label: meaning }));
        return (
          <SelectField
            key={word}
            {...about}
            options={[{ value: '', label: UNKNOWN[field] ?? 'Leave it out' }, ...options]}
            defaultValue=""
          />
        );
      })}
    </>
  );
}
