//! A venue for the tests of a bot. `bourse` is found in PATH, or named by BOURSE. It ends when the value goes out of scope.
//! Nothing but the standard library: your bot brings the client that signs, and finds its key in `account`.
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::{env, fs, net::TcpStream, path::PathBuf};

const START: &str = "start --port 0 --admin-port 0 --start-time 2026-01-01T00:00:00Z --frozen --makers off --limits off --data";

pub struct Venue {
    pub url: String,
    pub admin_url: String,
    folder: PathBuf,
    process: Child,
}

impl Venue {
    /// `name` keeps the folders of tests that run at once apart.
    pub fn start(name: &str) -> Venue {
        let folder = env::temp_dir().join(format!("bourse-{}-{name}", std::process::id()));
        let program = env::var("BOURSE").unwrap_or("bourse".into());
        let mut words = program.split_whitespace().chain(START.split(' '));
        let mut process = Command::new(words.next().unwrap())
            .args(words)
            .arg(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("bourse is not in PATH; name it by BOURSE");
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let words: Vec<_> = line.split_whitespace().collect();
        let ["bourse", "ready", url, "admin", admin_url] = words[..] else { panic!("the venue did not start") };
        Venue { url: url.into(), admin_url: admin_url.into(), folder, process }
    }

    /// The access id and the secret key of alice or bob.
    pub fn account(&self, name: &str) -> (String, String) {
        let text = fs::read_to_string(self.folder.join("dev-accounts.json")).unwrap();
        let own = text.split('{').find(|each| each.contains(&format!("\"name\": \"{name}\""))).expect("no such account");
        let field = |key: &str| own.split(&format!("\"{key}\": \"")).nth(1).unwrap().split('"').next().unwrap().to_string();
        (field("access_id"), field("secret_key"))
    }

    /// A public call of the API. Returns the text of the answer.
    pub fn get(&self, path: &str) -> String {
        send(&self.url, "GET", path, "", "")
    }

    /// A call of the operator, such as `POST /admin/clock {"advance_ms": 60000}`.
    pub fn operator(&self, path: &str, body: &str) -> String {
        let token = fs::read_to_string(self.folder.join("admin-token")).unwrap();
        send(&self.admin_url, "POST", path, body, &format!("Authorization: Bearer {}\r\n", token.trim()))
    }
}

impl Drop for Venue {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn send(url: &str, method: &str, path: &str, body: &str, headers: &str) -> String {
    let host = url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).unwrap();
    let length = body.len();
    write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n{headers}Content-Length: {length}\r\n\r\n{body}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split_once("\r\n\r\n").unwrap().1.to_string()
}
