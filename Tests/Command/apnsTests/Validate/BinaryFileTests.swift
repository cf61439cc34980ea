import Testing

@testable import apns

struct BinaryFileTests {
    @Test func `binary files are distinguished from text in the wrong encoding`() {
        #expect(BinaryFile.isBinary([0x7F, 0x45, 0]))
        #expect(!BinaryFile.isBinary(Array("{}".utf8)))
        #expect(!BinaryFile.isBinary([0xFF, 0xFE, 0x7B, 0]))
        #expect(!BinaryFile.isBinary([0x7B, 0, 0x7D, 0]))
        for text in ["\n {}", "[1]"] {
            let units = Array(text.utf16)
            #expect(!BinaryFile.isBinary(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }), "\(text)")
            #expect(!BinaryFile.isBinary(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }), "\(text)")
        }
    }

    @Test(arguments: ["{\"aps\":{\"alert\":\"a\0b\"}}", "[\0]", "\u{FEFF}\r\n\t {\0"])
    func `a zero byte in what begins like JSON is a fault of JSON`(text: String) {
        #expect(!BinaryFile.isBinary(Array(text.utf8)))
        #expect(BinaryFile.isBinary(Array("x\(text)".utf8)))
    }
}
