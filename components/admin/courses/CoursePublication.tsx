import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { duplicateCourse, publishProduct, withdrawProduct } from '../../api/admin/courses';
import { useSite } from '../../api/site';
import type { CoursePublicationProps } from '../../contracts/schema';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Button } from '../../ui/controls/Button';
import { CellContent, tableFormatOf } from '../../ui/table/TableCell';
import { AddressForm } from './AddressForm';
import { CloseForm } from './CloseForm';
import { RetireForm } from './RetireForm';
import { ScheduleForm } from './ScheduleForm';
import { useCourseAction } from './useCourseAction';

/** The state of a course and the steps that lead to another one; its address; a copy of it. */
export function CoursePublication(props: CoursePublicationProps) {
  if (!props.mayPublish) return <p className="muted">Editors and administrators publish.</p>;
  return (
    <div className="area-forms">
      <StateBox {...props} />
      {props.frame.state.id === 'published' && <RetireForm {...props} />}
      {props.frame.state.id === 'retired' && props.mayClose && <CloseForm {...props} />}
      {props.frame.kind === 'course' && (
        <>
          <AddressForm key={props.slug} frame={props.frame} slug={props.slug} />
          <CopyBox {...props} />
        </>
      )}
    </div>
  );
}

const WORDS: Record<string, string> = {
  draft: 'Nobody but the staff can see it.',
  scheduled: 'It is published by itself at its time, if it lacks nothing then.',
  published: 'It is in the shop, in search and in the sitemap.',
  retired: 'Nobody can buy it any more. Its owners keep it.',
};

/** What a course without lessons of its own is to those who buy it. */
const OUTLINE =
  'It has no lessons of its own: who buys it gets a study guide that the shop makes of its texts, and its page says so.';

function StateBox({ frame, publishedAt, comesAsOutline }: CoursePublicationProps) {
  const { isBusy, run } = useCourseAction();
  const [isAsking, setAsking] = useState(false);
  const format = tableFormatOf(useSite());
  const { version, state, missing } = frame;
  const publication = { version, startsAt: null, isOutlineMeant: comesAsOutline };
  const publish = () => run(() => publishProduct(frame, publication), 'It is published.');
  return (
    <section className="area-box" aria-labelledby="course-state">
      <h2 className="heading-m" id="course-state">
        {state.text}
      </h2>
      <p>{WORDS[state.id]}</p>
      {state.id === 'retired' && <a href={`/admin/retired/${frame.courseId}`}>What its page answers now</a>}
      {state.id === 'scheduled' && publishedAt && (
        <p>
          {'Planned for (UTC): '}
          <CellContent cell={{ kind: 'time', at: publishedAt }} label="Planned for" format={format} />
        </p>
      )}
      {state.id !== 'published' && missing.length === 0 && (
        <Button isBusy={isBusy} busyText="Publishing…" onClick={() => setAsking(true)}>
          {state.id === 'retired' ? 'Publish it again' : 'Publish now'}
        </Button>
      )}
      {state.id === 'scheduled' && (
        <Button
          variant="quiet"
          isDisabled={isBusy}
          onClick={() => void run(() => withdrawProduct(frame, version), 'It is a draft again.')}
        >
          Make it a draft again
        </Button>
      )}
      {(state.id === 'draft' || state.id === 'scheduled') && missing.length === 0 && (
        <ScheduleForm key={version} frame={frame} outline={comesAsOutline ? OUTLINE : ''} />
      )}
      {isAsking && (
        <ConfirmDialog
          question={`Publish “${frame.heading}”?`}
          text={`Everybody can see and buy it at once.${comesAsOutline ? ` ${OUTLINE}` : ''}`}
          yes="Publish"
          isHarmless
          no="Cancel"
          onYes={() => void publish()}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

function CopyBox({ frame }: CoursePublicationProps) {
  const navigate = useNavigate();
  const { isBusy, run } = useCourseAction();
  const copy = async () => {
    const { id } = await duplicateCourse(frame.courseId);
    navigate(`/admin/courses/${id}`);
  };
  return (
    <section className="area-box" aria-labelledby="course-copy">
      <h2 className="heading-m" id="course-copy">
        Duplicate
      </h2>
      <p>A draft with the same texts and price, without lessons, reviews and learners.</p>
      <Button
        variant="quiet"
        isBusy={isBusy}
        busyText="Copying…"
        onClick={() => void run(copy, 'This is the copy.')}
      >
        Duplicate this course
      </Button>
    </section>
  );
}
