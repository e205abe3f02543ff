import type { ReactNode } from 'react';
import tableStyles from '../../../static/css/table.css?text';
import tabsStyles from '../../../static/css/tabs.css?text';
import type { CourseFrame as CourseFrameProps } from '../../contracts/schema';
import { Badge } from '../../ui/Badge';
import { Tabs } from '../../ui/controls/Tabs';
import { useStyles } from '../../ui/useStyles';
import { AreaHead } from '../AreaHead';
import { MissingNotice } from '../previews/MissingNotice';

type FrameProps = { frame: CourseFrameProps; children: ReactNode };

/** The head and the tabs of a course, around what one of its tabs shows. */
export function CourseFrame({ frame, children }: FrameProps) {
  useStyles(tableStyles);
  useStyles(tabsStyles);
  return (
    <div className="area-page">
      <AreaHead
        heading={frame.heading}
        backHref={frame.backHref}
        backText={frame.kind === 'course' ? 'All courses' : 'All items'}
      >
        <p className="row area-page__state">
          <Badge tone={frame.state.tone} text={frame.state.text} />
          <a href={`${frame.backHref}/${frame.courseId}/preview`}>Preview</a>
          {frame.publicHref && <a href={frame.publicHref}>See it in the shop</a>}
        </p>
      </AreaHead>
      <Tabs label={`Parts of the ${frame.kind}`} tabs={frame.tabs} />
      <MissingNotice missing={frame.missing} />
      {children}
    </div>
  );
}
