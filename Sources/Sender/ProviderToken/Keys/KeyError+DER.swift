import DER

extension KeyError {
    init(_ failure: DERReader.Failure, in structure: String) {
        switch failure {
        case .truncated:
            self.init(.truncated, "the \(structure) breaks off before its end; copy the file again")
        case .malformed(let offset):
            self.init(
                .malformed, "byte \(offset) of the DER does not fit a \(structure); take the file as it was downloaded")
        }
    }
}
