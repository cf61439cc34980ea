import APNSModel
import PayloadJSON
import Testing

@testable import APNSPayload

struct KeyIndexTests {
    private func index(_ payload: String) throws -> (index: KeyIndex, document: JSONDocument) {
        let document = try JSONDocument(Array(payload.utf8))
        var index = KeyIndex()
        index.read(document)
        return (index, document)
    }

    private func facts(_ payload: String) throws -> PayloadFacts { try index(payload).index.found.facts }

    @Test func `every known key is found in its own object and nowhere else`() throws {
        for row in PayloadKey.all {
            let member = #""\#(row.name)":7"#
            let holders: [PayloadKey.Container: String] = [
                .root: "{\(member)}", .aps: #"{"aps":{\#(member)}}"#, .alert: #"{"aps":{"alert":{\#(member)}}}"#,
                .sound: #"{"aps":{"sound":{\#(member)}}}"#, .titleText: #"{"aps":{"alert":{"title":{\#(member)}}}}"#,
                .bodyText: #"{"aps":{"alert":{"body":{\#(member)}}}}"#,
            ]
            for (container, payload) in holders {
                let (index, document) = try index(payload)
                let value = index[row.key]
                guard container == row.container else {
                    #expect(value == nil || document.kind(of: value!) == .object, "\(row.name) in \(payload)")
                    continue
                }
                #expect(value.flatMap { document.integer(of: $0) } == 7, "\(row.name) in \(payload)")
            }
        }
    }

    @Test func `the last value of a repeated key is used, whatever its spelling`() throws {
        let (index, document) = try index(#"{"aps":{"badge":1,"b\u0061dge":2}}"#)
        #expect(index[.badge].flatMap { document.integer(of: $0) } == 2)
        #expect(index.found.contains(.repeatedKey))
        let (other, _) = try self.index(#"{"aps":{"badge":1},"aps":{}}"#)
        #expect(other[.badge] == nil)
    }

    @Test func `a null is found and marked as null`() throws {
        let (index, _) = try index(#"{"aps":{"badge":null,"alert":null,"alert":"Hi"}}"#)
        #expect(index[.badge] != nil && index.isNull(.badge))
        #expect(!index.isNull(.alert))
        #expect(index.found.contains(.nullMember))
    }

    @Test func `an index keeps nothing of the previous payload`() throws {
        var index = KeyIndex()
        index.read(try JSONDocument(Array(#"{"aps":{"badge":null,"x":1},"y":1,"y":1}"#.utf8)))
        index.read(try JSONDocument(Array(#"{"aps":{"badge":1}}"#.utf8)))
        #expect(!index.isNull(.badge))
        #expect(index.found == KeySet([.aps, .badge], .always))
    }

    @Test(
        arguments: [
            ("{}", .noAPS), ("[]", .rootOfOtherKind), (#"{"aps":1}"#, .apsOfOtherKind),
            (#"{"aps":null}"#, [.apsOfOtherKind, .nullMember]), (#"{"aps":{"x":1}}"#, .unknownInAPS),
            (#"{"aps":{"alert":{"x":1}}}"#, .unknownInAlert), (#"{"aps":{"alert":{"body":{"x":1}}}}"#, .unknownInAlert),
            (#"{"aps":{"sound":{"x":1}}}"#, .unknownInSound), (#"{"aps":{},"x":1}"#, .customInRoot),
            (#"{"aps":{},"aps":{}}"#, .repeatedKey), (#"{"aps":{"content-state":{"a":{"b":1,"b":2}}}}"#, .repeatedKey),
            (#"{"aps":{"loc":[null]}}"#, [.unknownInAPS, .nullMember]), (#"{"aps":{"alert":"x"}}"#, []),
        ] as [(String, PayloadFacts)])
    func `facts are found`(payload: String, facts: PayloadFacts) throws {
        #expect(try self.facts(payload) == facts.union(.always))
    }
}
