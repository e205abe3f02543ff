import { type RefObject, useState } from 'react';
import { useNextFocus } from '../../forms/edited/useNextFocus';
import { isolated } from '../../model/isolated';
import {
  type EditedOutline,
  moveLesson,
  moveSection,
  neighbourSpot,
  type Spot,
  spotOf,
} from './outlineEdits';

export type OutlineMoves = {
  /** Around the whole editor. */
  ref: RefObject<HTMLDivElement | null>;
  /** What the last step did, in words. */
  announcement: string;
  /** The lesson that is dragged now. */
  dragged: string | null;
  drag: (key: string | null) => void;
  drop: (spot: Spot) => void;
  step: (key: string, step: -1 | 1) => void;
  toSection: (key: string, section: number) => void;
  stepSection: (place: number, step: -1 | 1) => void;
  /** The element with this `data-focus` gets the focus once it is there. */
  focusOn: (name: string) => void;
};

/** Moving lessons and sections, by buttons, menu and pointer; the focus stays at what has moved. */
export function useOutlineMoves(
  outline: EditedOutline,
  change: (outline: EditedOutline) => void,
): OutlineMoves {
  const { ref, focusOn } = useNextFocus<HTMLDivElement>();
  const [announcement, setAnnouncement] = useState('');
  const [dragged, drag] = useState<string | null>(null);

  function put(key: string, spot: Spot, focus: string) {
    const moved = moveLesson(outline, key, spot);
    const { section, place } = spotOf(moved, key);
    const { title = '', lessons = [] } = moved.sections[section] ?? {};
    const name = lessons[place]?.title || 'The new lesson';
    setAnnouncement(
      `${isolated(name)}: now lesson ${place + 1} of ${lessons.length} in ${isolated(title || 'the new section')}.`,
    );
    focusOn(focus);
    change(moved);
  }

  return {
    ref,
    announcement,
    dragged,
    drag,
    drop: (spot) => {
      if (dragged) put(dragged, spot, `title-${dragged}`);
      drag(null);
    },
    step: (key, step) => {
      const spot = neighbourSpot(outline, key, step);
      if (spot) put(key, spot, `${step === -1 ? 'up' : 'down'}-${key}`);
    },
    toSection: (key, section) => {
      const place = outline.sections[section]?.lessons.length ?? 0;
      put(key, { section, place }, `title-${key}`);
    },
    stepSection: (place, step) => {
      const to = place + step;
      const section = outline.sections[place];
      if (!section || to < 0 || to >= outline.sections.length) return;
      setAnnouncement(
        `${isolated(section.title || 'The new section')}: now section ${to + 1} of ${outline.sections.length}.`,
      );
      focusOn(`${step === -1 ? 'up' : 'down'}-${section.key}`);
      change(moveSection(outline, place, to));
    },
    focusOn,
  };
}
