// A venue for the tests of a bot: started once, and for each test what it was at first. `bourse` is found in PATH, or named by BOURSE.
package bot

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const start = "start --port 0 --admin-port 0 --start-time 2026-01-01T00:00:00Z --frozen --makers off --limits off --past 0 --data"

type venue struct {
	url, adminURL, token string
	accounts             map[string]account
}

type account struct {
	Name      string
	AccessID  string `json:"access_id"`
	SecretKey string `json:"secret_key"`
}

type answer struct {
	Code    int
	Message string
	Data    json.RawMessage
}

var started venue

func TestMain(m *testing.M) { os.Exit(withVenue(m.Run)) }

func withVenue(run func() int) int {
	folder, err := os.MkdirTemp("", "bourse")
	must(err)
	defer os.RemoveAll(folder)
	words := append(strings.Fields(os.Getenv("BOURSE")), "bourse")
	if len(words) > 1 {
		words = words[:len(words)-1]
	}
	words = append(append(words, strings.Fields(start)...), folder)
	program := exec.Command(words[0], words[1:]...)
	out, err := program.StdoutPipe()
	must(err)
	must(program.Start())
	defer program.Wait()
	defer program.Process.Signal(os.Interrupt)
	line, err := bufio.NewReader(out).ReadString('\n')
	must(err)
	_, err = fmt.Sscanf(line, "bourse ready %s admin %s", &started.url, &started.adminURL)
	must(err)
	token, err := os.ReadFile(filepath.Join(folder, "admin-token"))
	must(err)
	started.token = strings.TrimSpace(string(token))
	text, err := os.ReadFile(filepath.Join(folder, "dev-accounts.json"))
	must(err)
	var accounts []account
	must(json.Unmarshal(text, &accounts))
	started.accounts = map[string]account{}
	for _, each := range accounts {
		started.accounts[each.Name] = each
	}
	return run()
}

// fresh gives the venue as it was at first: nothing traded, nobody's orders.
func fresh(t *testing.T) venue {
	if reset := started.send("POST", started.adminURL+"/admin/reset", []byte("{}"), map[string]string{
		"Authorization": "Bearer " + started.token}); reset.Code != 0 {
		t.Fatal(reset.Message)
	}
	return started
}

// ask makes a call of the API, signed when an account is named.
func (v venue) ask(method, path string, body any, who string) answer {
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body)
	}
	headers := map[string]string{}
	if who != "" {
		now := fmt.Sprint(v.time())
		mac := hmac.New(sha256.New, []byte(v.accounts[who].SecretKey))
		mac.Write([]byte(method + path + string(text) + now))
		headers["X-COINEX-KEY"] = v.accounts[who].AccessID
		headers["X-COINEX-SIGN"] = hex.EncodeToString(mac.Sum(nil))
		headers["X-COINEX-TIMESTAMP"] = now
	}
	return v.send(method, v.url+path, text, headers)
}

func (v venue) time() int64 {
	var data struct{ Timestamp int64 }
	must(json.Unmarshal(v.ask("GET", "/v2/time", nil, "").Data, &data))
	return data.Timestamp
}

func (v venue) send(method, url string, text []byte, headers map[string]string) (its answer) {
	request, err := http.NewRequest(method, url, bytes.NewReader(text))
	must(err)
	request.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	must(err)
	defer response.Body.Close()
	must(json.NewDecoder(response.Body).Decode(&its))
	return its
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
