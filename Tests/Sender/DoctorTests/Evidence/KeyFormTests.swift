import Foundation
import ProviderToken
import Testing

@testable import Doctor

/// Keys as deployments change them.
struct KeyFormTests {
    private let key: SigningKey
    private let p8: String

    init() throws {
        key = try SigningKey.generate()
        p8 = String(decoding: try key.p8, as: UTF8.self)
    }

    private func read(_ text: String) -> (form: KeyForm, key: SigningKey?) { KeyForm.read(Array(text.utf8)) }

    @Test func `a file as it was downloaded has nothing odd, with any line ends`() {
        for text in [p8, p8.replacingOccurrences(of: "\n", with: "\r\n"), String(p8.dropLast())] {
            let (form, found) = read(text)
            #expect(form == KeyForm())
            #expect(found?.publicKey == key.publicKey)
        }
    }

    @Test func `a byte-order mark and white space before lines are named, and read`() {
        #expect(read("\u{FEFF}" + p8).form == KeyForm(oddities: [.byteOrderMark]))
        let indented = read(p8.split(separator: "\n").map { "    \($0)\n" }.joined()).form
        #expect(indented.oddities == [.indentation] && indented.hasKey)
    }

    @Test func `line ends as two characters are named, and the key is found`() {
        let (form, found) = read(p8.replacingOccurrences(of: "\n", with: "\\n"))
        #expect(form == KeyForm(oddities: [.escapedLineEnds]))
        #expect(found?.publicKey == key.publicKey)
    }

    @Test func `quotation marks with lost line ends are both named`() {
        let (form, found) = read("\"" + p8.replacingOccurrences(of: "\n", with: "\\n") + "\"")
        #expect(form == KeyForm(oddities: [.quotationMarks, .escapedLineEnds]))
        #expect(found?.publicKey == key.publicKey)
    }

    @Test func `base64 of the file and of its DER are named`() {
        let body = p8.split(separator: "\n").dropFirst().dropLast().joined()
        let file = Data(p8.utf8).base64EncodedString()
        for (text, isBody) in [(file, false), (file + "\n", false), (body, true)] {
            let (form, found) = read(text)
            #expect(form == KeyForm(oddities: [.base64(isURL: false, missing: 0, isBody: isBody)]))
            #expect(found?.publicKey == key.publicKey)
        }
    }

    @Test func `DER and PEM on one line are named`() throws {
        let der = try #require(Data(base64Encoded: p8.split(separator: "\n").dropFirst().dropLast().joined()))
        let (form, found) = KeyForm.read(Array(der))
        #expect(form == KeyForm(oddities: [.der]) && found?.publicKey == key.publicKey)
        #expect(read(p8.replacingOccurrences(of: "\n", with: " ")).form.oddities.contains(.noLineEnds))
    }

    @Test(
        arguments: [(.utf16LittleEndian, "UTF-16LE"), (.utf16BigEndian, "UTF-16BE"), (.utf16, "UTF-16")]
            as [(String.Encoding, String)])
    func `text in UTF-16 is named, and the key is found`(_ encoding: String.Encoding, _ name: String) throws {
        let bytes = try #require(p8.data(using: encoding))
        let (form, found) = KeyForm.read(Array(bytes))
        #expect(form.oddities == [.utf16(encoding: name)] && form.problem != nil && form.hasKey)
        #expect(found?.publicKey == key.publicKey)
    }

    @Test func `other kinds of keys are no fault of the form`() {
        let certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
        #expect(read(certificate).form.isOtherKind)
        #expect(read(key.publicKey.pem).form.isOtherKind)
    }

    @Test(arguments: ["", " \n", "ABC123DEFG", "AuthKey_ABC123DEFG.p8", "-----BEGIN PRIVATE KEY-----\nMIGH"])
    func `what is no key is a fault of the form`(_ text: String) {
        let (form, found) = read(text)
        #expect(found == nil && !form.hasKey && !form.isOtherKind && form.problem != nil)
        #expect(!form.oddities.contains { $0.isBase64 })
    }

    @Test func `carriage returns alone as line ends are named, and the key is read`() {
        let (form, found) = read(p8.replacingOccurrences(of: "\n", with: "\r"))
        #expect(form == KeyForm(oddities: [.carriageReturns]))
        #expect(found?.publicKey == key.publicKey)
    }

    @Test func `of two keys in a file the first is read, which is said`() throws {
        let (form, found) = read(p8 + String(decoding: try SigningKey.generate().p8, as: UTF8.self))
        #expect(form == KeyForm(oddities: [.severalKeys(count: 2)]))
        #expect(found?.publicKey == key.publicKey)
    }

    @Test func `text around PEM is named, whatever is in it`() {
        let notes = "Bag Attributes\n    friendlyName: a\\n\n"
        for text in [notes + p8, p8 + "\n# the key\n", "key: |\n" + p8, "APNS_KEY=\"\(p8)\""] {
            #expect(read(text).form == KeyForm(oddities: [.textAround]), "\(text)")
        }
        #expect(read("\n \n" + p8 + "\n\n").form == KeyForm(), "white space is no text")
    }

    @Test(arguments: [2, 4, 241])
    func `zeros are no text in UTF-16, and are named`(_ count: Int) {
        let (form, found) = KeyForm.read([UInt8](repeating: 0, count: count))
        #expect(found == nil && !form.hasKey && !form.isOtherKind && form.oddities.isEmpty)
        #expect(form.problem?.detail.contains("\(count) bytes, all of them zero") == true)
        let behind = KeyForm.read([UInt8](repeating: 0, count: count) + Array("key".utf8)).form
        #expect(!behind.hasKey && behind.oddities.isEmpty)
    }

    @Test func `a backslash in what is no key is not taken for a line end`() {
        #expect(read(#"C:\keys\AuthKey_ABC123DEFG.p8"#).form.oddities.isEmpty)
    }

    @Test func `nothing of a key is in its form`() {
        for text in [p8, p8.replacingOccurrences(of: "\n", with: "\\n"), Data(p8.utf8).base64EncodedString()] {
            let shown = String(reflecting: read(text).form)
            #expect(!shown.contains(p8.split(separator: "\n")[1].prefix(20)))
        }
    }
}
