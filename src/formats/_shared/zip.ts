/** The ZIP container. It knows bytes and member names, nothing of what the members mean. */

export { safeMemberName } from './member-names.ts';
export { MAX_ZIP_INFLATED, MAX_ZIP_MEMBERS } from './zip-directory.ts';
export { isSafeName, mimeOfName } from './zip-names.ts';
export { MAX_MANIFEST_BYTES, MAX_MEMBER_BYTES, type Member, openZip, type Zip, zipOf } from './zip-read.ts';
export { writeZip, type ZipEntry, type ZipOptions } from './zip-write.ts';
