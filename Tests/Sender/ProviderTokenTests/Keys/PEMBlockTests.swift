import Testing

@testable import ProviderToken

@Suite struct PEMBlockTests {
    private func blocks(_ text: String) -> [PEMBlock] { PEMBlock.blocks(in: Array(text.utf8)) }

    @Test func `every block of a file is found, with text around the blocks`() throws {
        let found = blocks(
            "a\n-----BEGIN X-----\nAQ==\n-----END X-----\nb\n-----BEGIN Y Z-----\nAg==\n-----END Y Z-----")
        #expect(found.map(\.label) == ["X", "Y Z"])
        #expect(try found.map { try $0.decoded() } == [[1], [2]])
    }

    @Test(arguments: [
        "", "-----BEGIN X----\nAQ==\n-----END X-----", "-----BEGIN X\n-----\nAQ==", "----BEGIN X-----",
        "-----BEGIN " + String(repeating: "X", count: 65) + "-----\nAQ==",
    ])
    func `what is not an opening marker starts no block`(text: String) {
        #expect(blocks(text).isEmpty)
    }

    @Test func `a block that ends with another label is truncated`() throws {
        let block = try #require(blocks("-----BEGIN X-----\nAQ==\n-----END Y-----").first)
        let error = try #require(throws: KeyError.self) { try block.decoded() }
        #expect(error.code == .truncated)
    }

    @Test func `the error names the first byte that is not base64`() throws {
        let block = try #require(blocks("-----BEGIN X-----\nA*==\n-----END X-----").first)
        let error = try #require(throws: KeyError.self) { try block.decoded() }
        #expect(error.code == .malformed)
        #expect(error.detail.hasPrefix("byte 2 after -----BEGIN X-----"))
    }

    @Test func `lines have 64 characters, and the file ends with a line feed`() throws {
        let text = String(decoding: PEMBlock.encode([UInt8](repeating: 7, count: 100), label: "X"), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.map(\.count) == [17, 64, 64, 8, 15, 0])
        #expect(try blocks(text).map { try $0.decoded() } == [[UInt8](repeating: 7, count: 100)])
    }
}
