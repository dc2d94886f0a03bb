type GoProgram = "helm" | "caddy" | "stripe-mock" | "versitygw";
export declare function goProgram(name: GoProgram): string;
export declare function installGo(names: readonly GoProgram[]): GoProgram[];
