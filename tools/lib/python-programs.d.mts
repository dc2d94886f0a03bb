type PythonProgram = "kubernetes-validate" | "podman-compose" | "schemathesis";
export declare function pythonProgram(name: PythonProgram): string;
export declare function installPython(names: readonly PythonProgram[]): PythonProgram[];
