export declare function nodeOfImage(folder: string): string | null;
