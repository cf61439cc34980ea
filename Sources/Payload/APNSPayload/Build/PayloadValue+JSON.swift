import PayloadJSON

extension PayloadValue {
    /// The value of a JSON text, such as the output of a `JSONEncoder`. The last value of a repeated key is used.
    ///
    /// A whole number that does not fit into 64 bits becomes a `Double`.
    ///
    /// - Throws: If the text is not JSON, or contains a null or a number that a `Double` cannot represent.
    public init(json: some Collection<UInt8>) throws(PayloadValueError) {
        let document: JSONDocument
        let bytes = Array(json)
        do throws(JSONSyntaxError) {
            document = try JSONDocument(bytes)
        } catch {
            throw PayloadValueError(offset: error.offset, detail: "\(error)")
        }
        self = try PayloadValue(.root, of: document)
    }

    /// The recursion ends, because the reader limits the depth.
    private init(_ index: JSONIndex, of document: borrowing JSONDocument) throws(PayloadValueError) {
        let offset = document.range(of: index).lowerBound
        switch document.kind(of: index) {
        case .null: throw PayloadValueError(offset: offset, detail: "null cannot be sent; leave the value out")
        case .true: self = .boolean(true)
        case .false: self = .boolean(false)
        case .string: self = .string(document.string(of: index) ?? "")
        case .integer, .fraction:
            if let integer = document.integer(of: index) {
                self = .integer(integer)
            } else if let number = document.number(of: index).flatMap({ FiniteNumber($0) }) {
                self = .number(number)
            } else {
                throw PayloadValueError(offset: offset, detail: "this number is too large")
            }
        case .array:
            var elements: [PayloadValue] = []
            for element in document.elements(of: index) { elements.append(try PayloadValue(element, of: document)) }
            self = .array(elements)
        case .object:
            var members: [String: PayloadValue] = [:]
            for member in document.members(of: index) {
                members[document.string(of: member.key) ?? ""] = try PayloadValue(member.value, of: document)
            }
            self = .object(members)
        }
    }
}
