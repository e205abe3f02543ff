import type { ReactNode } from 'react';
import tableStyles from '../../../static/css/table.css?text';
import tabsStyles from '../../../static/css/tabs.css?text';
import type { CourseFrame as CourseFrameProps } from '../../contracts/schema';
import { Badge } from '../../ui/Badge';
import { Tabs } from '../../ui/controls/Tabs';
import { useStyles } from '../../ui/useStyles';
import { MissingNotice } from '../previews/MissingNotice';

type FrameProps = { frame: CourseFrameProps; children: ReactNode };

/** The head and the tabs of a course, around what one of its tabs shows. */
export function CourseFrame({ frame, children }: FrameProps) {
  useStyles(tableStyles);
  useStyles(tabsStyles);
  return (
    <div className="area-page">
      <header className="area-page__head row">
        <div>
          <a className="area-page__back" href={frame.backHref}>
            {frame.kind === 'course' ? 'All courses' : 'All items'}
          </a>
          <h1>{frame.heading}</h1>
          <p className="row area-page__state">
            <Badge tone={frame.state.tone} text={frame.state.text} />
            <a href={`${frame.backHref}/${frame.courseId}/preview`}>Preview</a>
            {frame.publicHref && <a href={frame.publicHref}>See it in the shop</a>}
          </p>
        </div>
      </header>
      <Tabs label={`Parts of the ${frame.kind}`} tabs={frame.tabs} />
      <MissingNotice missing={frame.missing} />
      {children}
    </div>
  );
}
