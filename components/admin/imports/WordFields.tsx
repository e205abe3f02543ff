import { useState } from 'react';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { WORD } from './importValues';

type WordFieldsProps = { field: string; words: string[]; meanings: string[] | undefined };

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
            options={[{ value: '', label: 'Leave it out' }, ...options]}
            defaultValue=""
          />
        );
      })}
    </>
  );
}
