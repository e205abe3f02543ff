import { type ComponentType, useEffect, useState } from 'react';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { Notice } from '../../ui/Notice';
import type { VideoLessonProps } from '../video/VideoLesson';

/** A video; its code loads with the first one. Its place is kept meanwhile. */
export function LazyVideo(props: VideoLessonProps) {
  const [Video, setVideo] = useState<ComponentType<VideoLessonProps> | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    loadOrReload(import('../video/VideoLesson')).then(
      ({ VideoLesson }) => setVideo(() => VideoLesson),
      () => setHasFailed(true),
    );
  }, []);
  if (Video) return <Video {...props} />;
  if (!hasFailed) return <div className="video__frame" />;
  return (
    <Notice kind="warning" title="The player could not be loaded">
      <p>Check your connection, then reload the page.</p>
    </Notice>
  );
}
