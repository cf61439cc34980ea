import Testing

@testable import apns

struct BinaryFileTests {
    @Test func `binary files are distinguished from text in the wrong encoding`() {
        #expect(BinaryFile.isBinary([0x7F, 0x45, 0]))
        #expect(!BinaryFile.isBinary(Array("{}".utf8)))
        #expect(!BinaryFile.isBinary([0xFF, 0xFE, 0x7B, 0]))
        #expect(!BinaryFile.isBinary([0x7B, 0, 0x7D, 0]))
    }
}
