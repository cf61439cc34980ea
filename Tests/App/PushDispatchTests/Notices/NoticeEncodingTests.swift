import Foundation
import PushDispatch
import Testing

struct NoticeEncodingTests {
    @Test func `base64 has lines of 64 characters, and is read with or without them`() {
        let data = Data((0..<100).map { UInt8($0) })
        let text = NoticeEncoding.lines(of: data)
        #expect(text.split(whereSeparator: \.isNewline).map(\.count) == [64, 64, 8])
        #expect(NoticeEncoding.data(of: text) == data)
        #expect(NoticeEncoding.data(of: data.base64EncodedString()) == data)
        #expect(NoticeEncoding.data(of: "no base64") == nil)
    }

    @Test func `only an RSA key of 2048 bits gets the header of a SubjectPublicKeyInfo`() {
        let key = Data([0x30, 0x82, 0x01, 0x0a]) + Data(count: 266)
        let info = NoticeEncoding.subjectPublicKeyInfo(of: key)
        #expect(info?.count == 294 && info?.suffix(270) == key && info?.first == 0x30)
        #expect(NoticeEncoding.subjectPublicKeyInfo(of: key + [0]) == nil)
        #expect(NoticeEncoding.subjectPublicKeyInfo(of: Data(count: 270)) == nil)
    }
}
