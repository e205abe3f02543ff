import { useEffect, useId, useRef } from 'react';
import { useSite } from '../../api/site';
import type { LessonNote } from '../../contracts/schema';
import { dateTime } from '../../format/dateTime';
import { Button } from '../../ui/controls/Button';

type TwoNotesProps = { own: string; other: LessonNote; onKeep: (text: string) => void };

/** A note that was changed elsewhere too: both texts side by side. Nothing is lost until one is chosen. */
export function TwoNotes({ own, other, onKeep }: TwoNotesProps) {
  const { forms } = useSite();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const at = other.updatedAt ? dateTime(other.updatedAt, forms) : '';
  return (
    <div className="two-notes stack">
      <h3 ref={title} tabIndex={-1}>
        This note was changed elsewhere too
      </h3>
      <div className="two-notes__texts">
        <NoteText title="Here" text={own} button="Keep this one" onKeep={onKeep} />
        <NoteText title={`Elsewhere, ${at}`} text={other.body} button="Keep the other one" onKeep={onKeep} />
      </div>
      <Button variant="quiet" onClick={() => onKeep(`${other.body}\n\n${own}`)}>
        Keep both, one after the other
      </Button>
    </div>
  );
}

type NoteTextProps = { title: string; text: string; button: string; onKeep: (text: string) => void };

function NoteText({ title, text, button, onKeep }: NoteTextProps) {
  const id = useId();
  return (
    <section className="panel stack" aria-labelledby={id}>
      <h4 id={id}>{title}</h4>
      <p className="two-notes__text">{text || '(empty)'}</p>
      <Button variant="quiet" onClick={() => onKeep(text)}>
        {button}
      </Button>
    </section>
  );
}
