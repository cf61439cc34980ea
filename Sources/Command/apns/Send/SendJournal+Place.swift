extension SendJournal {
    /// What the command prints to.
    static let outputs: [(name: String, descriptor: Int32)] = [("standard output", 1), ("standard error", 2)]

    /// Why a file cannot be the journal: the command reads it, or prints to it as to `/dev/stdout`. Nil where it can.
    ///
    /// - Parameter inputs: The files that the command reads, with their options.
    static func fault(
        ofPath path: String, inputs: [(option: String, path: String)],
        outputs: [(name: String, descriptor: Int32)] = SendJournal.outputs
    ) -> String? {
        guard let file = FileIdentity(path: path) else { return nil }
        if let input = inputs.first(where: { FileIdentity(path: $0.path) == file }) {
            return "the journal \(path) is the file of \(input.option); name another file"
        }
        if let output = outputs.first(where: { FileIdentity(descriptor: $0.descriptor) == file }) {
            return "the journal \(path) is the file of \(output.name), where results are printed; name another file"
        }
        return nil
    }
}
