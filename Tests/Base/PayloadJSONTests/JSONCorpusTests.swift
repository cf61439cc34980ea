import PayloadJSON
import Testing

struct JSONCorpusTests {
    @Test(arguments: JSONCorpus.all)
    func `what is JSON is read, with the values that another reader finds`(corpus: JSONCorpus) throws {
        for vector in try corpus.vectors(.read) {
            do throws(JSONSyntaxError) {
                let document = try JSONDocument(vector.bytes)
                let value = CanonicalValue(document: document).text()
                #expect(vector.value == nil || vector.value == value, "\(vector.name)")
                expectPlaces(.root, of: document, vector.name)
            } catch {
                Issue.record("\(vector.name): \(error) at \(error.offset)")
            }
        }
    }

    private func expectPlaces(_ index: JSONIndex, of document: JSONDocument, _ name: String) {
        #expect(document.range(of: index).upperBound <= document.bytes.count, "\(name)")
        #expect(document.pointer(to: index).isEmpty == (index == .root), "\(name)")
        for member in document.members(of: index) { expectPlaces(member.value, of: document, name) }
        for element in document.elements(of: index) { expectPlaces(element, of: document, name) }
    }

    @Test(arguments: JSONCorpus.all)
    func `what is not JSON is refused at a place inside it`(corpus: JSONCorpus) throws {
        for vector in try corpus.vectors(.refuse) {
            do throws(JSONSyntaxError) {
                _ = try JSONDocument(vector.bytes)
                Issue.record("\(vector.name) was read")
            } catch {
                #expect((0...vector.bytes.count).contains(error.offset), "\(vector.name)")
            }
        }
    }

    @Test(arguments: JSONCorpus.all)
    func `of what is left to the reader, large numbers and up to 512 levels are read`(corpus: JSONCorpus) throws {
        let read = ["large number", "depth 500", "depth 512", "i_number", "i_structure_500_nested_arrays"]
        for vector in try corpus.vectors(.either) {
            let isRead = (try? JSONDocument(vector.bytes)) != nil
            #expect(isRead == read.contains { vector.name.hasPrefix($0) }, "\(vector.name)")
        }
    }
}
