package import PushDispatch

/// The collection call of selective-sync.md 6.1: its request as bytes, its reply checked. No I/O.
package struct CollectionCall: Sendable {
    package let path: String
    package let body: [UInt8]
    private let request: FetchRequest

    /// - Parameter version: Such as `v66.0`.
    package init(_ request: FetchRequest, version: String) throws(FetchError) {
        guard (1...FetchRequest.maximumRecords).contains(request.records.count) else {
            throw FetchError(
                .badRequest, advice: .stop,
                "\(request.records.count) ids in one call; it takes 1 to \(FetchRequest.maximumRecords)")
        }
        guard CollectionCall.isName(request.object) else {
            throw FetchError(.badRequest, advice: .stop, "the object's name is not made of letters, digits and _")
        }
        guard CollectionCall.isVersion(version) else {
            throw FetchError(.badRequest, advice: .stop, "the API version is not of the form v66.0")
        }
        self.request = request
        path = "/services/data/\(version)/composite/sobjects/\(request.object)"
        var fields = request.fields
        if !fields.contains("Id") { fields.insert("Id", at: 0) }
        var bytes: [UInt8] = []
        JSONValue.appendObject(
            [
                ("ids", .array(request.records.map { .string($0.description) })),
                ("fields", .array(fields.map { .string($0) })),
            ], to: &bytes)
        body = bytes
    }

    private static func isName(_ text: String) -> Bool {
        (1...80).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || isDigit($0) || $0 == "_") }
    }

    private static func isVersion(_ text: String) -> Bool {
        let parts = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        return text.hasPrefix("v") && parts.count == 2
            && parts.allSatisfy { (1...3).contains($0.count) && $0.unicodeScalars.allSatisfy(isDigit) }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}

// MARK: - The reply

extension CollectionCall {
    /// As many elements as ids, each in its place, each of the object asked for and with the id asked for.
    package func records(status: Int, body: [UInt8], limits: JSONLimits) throws(FetchError) -> [FetchedRecord] {
        guard status == 200 else { throw ServerRefusal.read(status: status, body: body) }
        let value: JSONValue
        do throws(JSONFault) {
            value = try JSONReader.read(body, limits: limits)
        } catch {
            throw bad("the reply is \(error)")
        }
        guard let elements = value.array else { throw bad("the reply is \(value.kindInWords); an array is wanted") }
        guard elements.count == request.records.count else {
            throw bad("the reply has \(elements.count) elements for \(request.records.count) ids")
        }
        var fetched: [FetchedRecord] = []
        fetched.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            fetched.append(try record(element, at: index))
        }
        return fetched
    }

    private func record(_ element: JSONValue, at index: Int) throws(FetchError) -> FetchedRecord {
        let wanted = request.records[index]
        if element == .null { return .missing(wanted) }
        guard var fields = element.object else {
            throw bad("element \(index) is \(element.kindInWords); a record or null is wanted")
        }
        let attributes = fields.removeValue(forKey: "attributes")
        guard attributes?.object?["type"]?.string == request.object else {
            throw bad("element \(index) is not marked as \(request.object)")
        }
        guard let text = fields["Id"]?.string, let id = RecordID(text), id == wanted else {
            throw bad("element \(index) is not the record that was asked for at this place")
        }
        for field in ["LastModifiedDate", "SystemModstamp"] {
            guard let value = fields[field], value != .null else { continue }
            guard let text = value.string, ServerDate(text) != nil else {
                throw bad("\(field) of element \(index) is not a date-time")
            }
        }
        return .record(ServerRecord(id: id, fields: fields))
    }

    private func bad(_ detail: String) -> FetchError {
        FetchError(.badReply, status: 200, advice: .retryLater, detail)
    }
}
