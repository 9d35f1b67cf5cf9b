import { html, type TemplateResult } from 'lit-html';

/** A place that takes files: chosen, dropped, or by keyboard, since the field itself is the browser's. */
export const fileField = ({
  label,
  hint,
  accept,
  multiple = false,
  onFiles,
  id,
}: {
  readonly label: string;
  readonly hint: string;
  readonly accept: string;
  readonly multiple?: boolean | undefined;
  readonly onFiles: (files: readonly File[]) => void;
  readonly id: string;
}): TemplateResult => {
  const over = (event: DragEvent, isOver: boolean): void => {
    event.preventDefault();
    (event.currentTarget as HTMLElement).classList.toggle('over', isOver);
  };
  const take = (files: Iterable<File> | null | undefined): void => {
    const all = [...(files ?? [])];
    if (all.length > 0) onFiles(all);
  };
  return html`<label
    class="drop"
    for=${id}
    @dragover=${(event: DragEvent) => over(event, true)}
    @dragleave=${(event: DragEvent) => over(event, false)}
    @drop=${async (event: DragEvent) => {
      over(event, false);
      take(await droppedFiles(event.dataTransfer));
    }}
  >
    <input
      id=${id}
      type="file"
      accept=${accept}
      ?multiple=${multiple}
      @change=${(event: Event) => {
        const field = event.target as HTMLInputElement;
        const files = [...(field.files ?? [])];
        // The same file may be chosen again.
        field.value = '';
        take(files);
      }}
    />
    <span class="drop-label">${label}</span> <span class="drop-hint">${hint}</span>
  </label>`;
};

/** The files of what was dropped: of a folder, those that lie in it. */
const droppedFiles = async (data: DataTransfer | null): Promise<File[]> => {
  const entries = [...(data?.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null);
  const folder = entries.length === 1 ? entries[0] : null;
  if (folder === null || !folder.isDirectory) return [...(data?.files ?? [])];
  const reader = (folder as FileSystemDirectoryEntry).createReader();
  const inside: FileSystemEntry[] = [];
  for (;;) {
    const more = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (more.length === 0) break;
    inside.push(...more);
  }
  const files = inside.filter((entry) => entry.isFile && !entry.name.startsWith('.')) as FileSystemFileEntry[];
  return Promise.all(files.map((entry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject))));
};
