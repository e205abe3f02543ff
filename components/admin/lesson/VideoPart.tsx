import type { CourseLessonProps } from '../../contracts/schema';
import { EditedField } from '../../forms/edited/EditedField';
import { FieldError } from '../../forms/FieldShell';
import { FileRows } from './FileRows';
import { LessonUpload } from './LessonUpload';
import type { PartProps } from './partProps';
import { TracksPart } from './TracksPart';

/** The video of a lesson: files of this site or a video of another one, with captions and transcript. */
export function VideoPart(props: PartProps & Pick<CourseLessonProps, 'languages'>) {
  const { fields, errors, set } = props;
  const { videos, embedUrl, embedTitle } = fields;
  return (
    <>
      <section className="area-box lesson-part" aria-labelledby="lesson-video">
        <h2 className="heading-m" id="lesson-video">
          Video
        </h2>
        <FieldError id="lesson-video" error={errors.videos} />
        <FileRows
          files={videos}
          onRemove={(file) => set({ videos: videos.filter((other) => other !== file) })}
        />
        {!embedUrl && (
          <LessonUpload
            label={videos.length > 0 ? 'The same video in another format' : 'Video file'}
            accept="video/mp4,video/webm,audio/mpeg,audio/mp4"
            hint="MP4, WebM, MP3 or M4A, up to 2 GiB. It goes on where it was after a lost connection."
            onFile={(file) => set({ videos: [...videos.filter((v) => v.sha256 !== file.sha256), file] })}
          />
        )}
        {videos.length === 0 && (
          <>
            <EditedField
              label="Or a video of another site"
              hint="Its https address. Learners load it only when they ask for it."
              inputMode="url"
              value={embedUrl}
              onText={(text) => set({ embedUrl: text.trim() }, 'embed-url')}
              error={errors.embedUrl}
            />
            {embedUrl && (
              <EditedField
                label="What the video is called there"
                value={embedTitle}
                onText={(text) => set({ embedTitle: text }, 'embed-title')}
              />
            )}
          </>
        )}
      </section>
      <TracksPart {...props} />
    </>
  );
}
