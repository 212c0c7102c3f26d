/** For fs.rm of a folder in which a process that's ending, or git in a pod, may still write. */
export const folderRemoval = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const;
